// include/dra/cel/library/kubernetes.h
//
// Values of Kubernetes' own CEL types that variables hold: capacities are Quantities, version
// attributes are Semvers. They lie in a scratch, which may outlive many evaluations; a variable's
// values are made once.
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

// What quantity(text) gives: the value, or upstream's error, such as "unable to parse quantity's
// suffix".
Value parse_quantity(std::string_view text, Scratch& scratch);

// What semver(text) gives: a kubernetes.Semver, strictly parsed, or upstream's error. The text is
// not copied and must live as long as the value.
Value parse_semver(std::string_view text, Scratch& scratch);
// Whether that is a value.
bool is_semver(std::string_view text);
// How two of them compare; nothing if one is none.
std::optional<std::weak_ordering> compare_semvers(std::string_view a, std::string_view b);

}  // namespace dra::cel
