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

// In place of a release: release 1.37 or the gate DRAListTypeAttributes.
inline constexpr int kIncludes = -1;

inline constexpr int kStill = std::numeric_limits<int>::max();

struct OverloadRow {
  std::string_view function;   // "startsWith", "_+_", "optional.of"
  std::string_view id;         // upstream's: "starts_with_string"
  bool member;                 // called as x.f()
  std::string_view signature;  // "(list(A), A) -> int"; capital letters are type parameters
  int since;                   // the first minor release with it; 0: all
  int until = kStill;          // the last minor release with it in this position
};

// A row with its parsed signature. Args begin with the receiver of a member.
struct Overload {
  const OverloadRow* row;
  std::vector<const Type*> args;
  const Type* result;
  std::vector<std::string_view> params;  // type parameters, each once
};

std::span<const OverloadRow> all_overloads();

// The overloads of a function in all releases; empty if there is no such function. The number of an
// overload is its index in the whole table.
std::span<const Overload> overloads_of(std::string_view function);
std::size_t number_of(const Overload& overload);
const Overload& overload_at(std::size_t number);

bool served(const OverloadRow& row, const Environment& environment);

}  // namespace dra::cel
