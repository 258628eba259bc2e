// include/dra/api/taint_rule.h
//
// DeviceTaintRule: an administrator's taint on every device that its selector names. It acts like a
// taint in the slice.

#pragma once

#include "dra/api/slice.h"

namespace dra::api {

// Fields that are set must all agree; an empty selector therefore names every device.
struct TaintSelector {
  std::optional<std::string_view> driver;
  std::optional<std::string_view> pool;
  std::optional<std::string_view> device;
};
struct TaintRuleSpec {
  std::optional<TaintSelector> selector;  // absent: no device
  DeviceTaint taint;
};
struct TaintRuleStatus {
  std::vector<Condition> conditions;
};
struct DeviceTaintRule {
  ObjectMeta meta;
  TaintRuleSpec spec;
  TaintRuleStatus status;
  Origin origin;
};

}  // namespace dra::api
