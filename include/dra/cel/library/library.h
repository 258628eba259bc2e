// include/dra/cel/library/library.h
//
// The code of the declared functions. An overload has its own code, found by its id, or its
// function has one code for all overloads, which dispatches on the values. Values that match no
// overload fail as upstream's do: FunctionDecl.Bindings, common/decls.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "dra/cel/values/value.h"

namespace dra::cel {

class Effort;
class Regex;

// The input of a function. Arguments are never errors, unless the function is not strict.
struct Invocation {
  std::span<const Value> args;  // the receiver first
  Scratch& scratch;
  Effort& effort;
  const Regex* regex = nullptr;  // the pattern among the arguments, if it is constant
};
using Code = Value (*)(const Invocation&);

struct OverloadCode {
  std::string_view id;
  Code run;
};

// A set of kinds, as bits.
using Kinds = std::uint32_t;
constexpr Kinds kinds_of(ValueKind kind) { return Kinds{1} << static_cast<unsigned>(kind); }
template <class... More>
constexpr Kinds kinds_of(ValueKind kind, More... more) {
  return kinds_of(kind) | kinds_of(more...);
}
inline constexpr Kinds kAnyKind = ~Kinds{0};

struct FunctionCode {
  std::string_view function;
  Code run;
  Kinds first =
      kAnyKind;  // allowed kinds of the first argument; others give "no such overload: FUNCTION"
};

// The tables of the libraries, each sorted by id or function; a library is one file with its table.
std::span<const FunctionCode> operator_codes();
std::span<const FunctionCode> conversion_functions();
std::span<const OverloadCode> conversion_codes();
std::span<const FunctionCode> string_functions();
std::span<const OverloadCode> string_codes();
std::span<const OverloadCode> format_codes();
std::span<const FunctionCode> list_functions();
std::span<const OverloadCode> list_codes();
std::span<const FunctionCode> optional_functions();
std::span<const OverloadCode> optional_codes();
std::span<const OverloadCode> time_codes();
std::span<const OverloadCode> ip_codes();
std::span<const OverloadCode> named_format_codes();
std::span<const OverloadCode> quantity_codes();
std::span<const OverloadCode> semver_codes();
std::span<const OverloadCode> url_codes();

// nullptr if there is none.
Code code_of_overload(std::string_view id);
const FunctionCode* code_of_function(std::string_view function);

}  // namespace dra::cel
