// include/dra/cel/library/declarations.h
//
// The functions of Kubernetes' CEL environment: every overload with its signature. Upstream: cel-go
// common/stdlib and ext, k8s.io/apiserver/pkg/cel/library, environment/base.go for the releases. A
// test compares the table with the real environment.

#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "dra/cel/library/environment.h"

namespace dra::cel {

// Instead of a release: with the release 1.37 or the gate DRAListTypeAttributes.
inline constexpr int kIncludes = -1;

inline constexpr int kStill = std::numeric_limits<int>::max();

struct OverloadRow {
  std::string_view function;   // "startsWith", "_+_", "optional.of"
  std::string_view id;         // upstream's: "starts_with_string"
  bool member;                 // called as x.f()
  std::string_view signature;  // "(list(A), A) -> int"; capital letters are type parameters
  int since;                   // the minor release that brought it, 0 for always
  int until = kStill;          // the last one in which it stood here
};

// A row with its signature read. Args begin with the receiver of a member.
struct Overload {
  const OverloadRow* row;
  std::vector<const Type*> args;
  const Type* result;
  std::vector<std::string_view> params;  // type parameters, each once
};

std::span<const OverloadRow> all_overloads();

// The overloads of a function, whatever the release; empty if there is no such function. The place
// of an overload in the whole table is its number.
std::span<const Overload> overloads_of(std::string_view function);
std::size_t number_of(const Overload& overload);
const Overload& overload_at(std::size_t number);

bool served(const OverloadRow& row, const Environment& environment);

}  // namespace dra::cel
