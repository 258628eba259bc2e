// include/dra/api/taint_rule.h
//
// DeviceTaintRule: an administrator's taint on every device that its selector matches. It acts like
// a taint in the slice.

#pragma once

#include "dra/api/slice.h"

namespace dra::api {

// All fields that are set must agree, so an empty selector matches every device.
struct TaintSelector {
  std::optional<std::string_view> driver;
  std::optional<std::string_view> pool;
  std::optional<std::string_view> device;

  bool is_empty() const { return !driver && !pool && !device; }
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
