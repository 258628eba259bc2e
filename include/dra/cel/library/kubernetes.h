// include/dra/cel/library/kubernetes.h
//
// Values of Kubernetes' CEL types that variables hold: capacities are Quantities, version
// attributes are Semvers. They live in a scratch, which may outlive many evaluations, so the values
// of a variable are made once.
//
// Upstream: k8s.io/apiserver/pkg/cel (quantity.go, semver.go), github.com/blang/semver/v4.

#pragma once

#include <compare>
#include <optional>
#include <string_view>

#include "dra/base/quantity.h"
#include "dra/cel/values/value.h"

namespace dra::cel {

// A kubernetes.Quantity.
Value make_quantity(const base::Quantity& quantity, Scratch& scratch);

// The result of quantity(text): the value, or upstream's error, such as "unable to parse quantity's
// suffix".
Value parse_quantity(std::string_view text, Scratch& scratch);

// The result of semver(text): a strictly parsed kubernetes.Semver, or upstream's error. The text is
// not copied and must live as long as the value.
Value parse_semver(std::string_view text, Scratch& scratch);
// True if semver(text) is a value.
bool is_semver(std::string_view text);
// Compares two versions; no value if one is invalid.
std::optional<std::weak_ordering> compare_semvers(std::string_view a, std::string_view b);

}  // namespace dra::cel
