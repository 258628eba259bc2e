// src/cel/check/estimate_calls.h
//
// The worst-case cost of calls without their arguments, in a table per library. Arithmetic
// saturates, as upstream's does.

#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "dra/cel/check/checker.h"
#include "dra/cel/check/estimate.h"

namespace dra::cel {

inline constexpr Estimate kUnknownSize{0, kUnbounded};

Estimate sum(const Estimate& a, const Estimate& b);
Estimate product(const Estimate& a, const Estimate& b);
Estimate scaled(const Estimate& a, double factor);  // rounded up
Estimate either(const Estimate& a, const Estimate& b);

// The path from a variable into it, as in SizeRow; empty if there is none.
using Path = std::span<const std::string_view>;
std::optional<Estimate> size_at(Path path, std::span<const SizeRow> sizes);

// An argument of a call.
struct Operand {
  const Node* node = nullptr;
  const Type* type = nullptr;
  std::optional<Estimate> known = {};
  Path path = {};

  Estimate size() const { return known.value_or(kUnknownSize); }
};

struct EstimatedCall {
  std::string_view function;
  std::string_view overload;
  const Operand* target;  // the x of x.f(); nullptr for f(x)
  std::span<const Operand> args;
  std::span<const SizeRow> sizes;
};

struct CallEstimate {
  Estimate cost = {};
  std::optional<Estimate> result_size = {};
};

// For every overload except && || ?:, which do not evaluate all arguments.
CallEstimate estimate_call(const EstimatedCall& call);

}  // namespace dra::cel
