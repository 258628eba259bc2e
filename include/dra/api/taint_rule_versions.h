// include/dra/api/taint_rule_versions.h
//
// What DeviceTaintRules of v1alpha3 had until Kubernetes v1.34 and no later version has:
// deviceSelector.deviceClassName and deviceSelector.selectors choose devices by class and by CEL.
// k8s.io/api@v0.34/resource/v1alpha3, DeviceTaintSelector.

#pragma once

#include <array>
#include <string_view>

#include "dra/json/value.h"

namespace dra::api {

inline constexpr std::string_view kClassSelectorVersion = "v1alpha3";
inline constexpr int kLastClassSelectorRelease = 34;  // minor
inline constexpr std::array<std::string_view, 2> kClassSelectorFields = {"deviceClassName",
                                                                         "selectors"};

// Whether the rule has one of these fields.
inline bool selects_by_class(const json::Value& rule) {
  const json::Value* selector = rule.at({"spec", "deviceSelector"});
  if (selector == nullptr) return false;
  for (const std::string_view field : kClassSelectorFields) {
    if (selector->find(field) != nullptr) return true;
  }
  return false;
}

}  // namespace dra::api
