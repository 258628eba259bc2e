// include/dra/api/upgrade.h
//
// Rewrites older shapes of the DRA API to v1's, as trees, before they are decoded. This is the only
// place that knows that versions differ. Values keep their source positions.
//
// v1beta2 and v1alpha3 (DeviceTaintRule) have v1's shape. v1beta1 differs in three things: a
// request's fields are next to its name instead of under `exactly`, a device's fields are under
// `basic`, and an empty nodeName or a false allNodes means that it is not set. Upstream:
// k8s.io/kubernetes/pkg/apis/resource/v1beta1, conversion.go.

#pragma once

#include <string_view>

#include "dra/api/kinds.h"
#include "dra/json/value.h"

namespace dra::api {

// Objects of this kind and version must go through to_v1().
bool needs_upgrade(Kind kind, std::string_view version);

void to_v1(Kind kind, std::string_view version, json::Value& object);

}  // namespace dra::api
