// src/engine/scheduler/derived_attribute.h
//
// An attribute that a request computes for each device with an expression, for constraints to
// compare. It hides a published attribute of the same name.
//
// Upstream: k8s.io/dynamic-resource-allocation/cel, EvaluateDerivedAttribute; the allocator
// evaluates it when a constraint asks, and an error ends the attempt for the whole pod.

#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "dra/engine/cluster/pool.h"
#include "dra/engine/cluster/usage.h"
#include "dra/engine/selectors/selector.h"

namespace dra::engine {

struct Derived {
  std::optional<api::DeviceAttribute> value = {};
  std::string error = {};  // one line, if there is no value
};

class DerivedAttribute {
 public:
  DerivedAttribute(std::string_view expression, const Language& language)
      : selector_(expression, language, Purpose::Attribute) {}

  // Valid as long as this object; evaluated once for each device.
  const Derived& of(const PoolDevice& device);

 private:
  Derived evaluate(const PoolDevice& device);
  std::optional<api::DeviceAttribute> attribute_of(const cel::Value& value);
  std::optional<api::DeviceAttribute> list_of(const cel::ListValue& list);
  std::string_view keep(const cel::Value& text);

  Selector selector_;
  DeviceValue device_;
  cel::Run run_;
  std::deque<std::string> texts_;
  std::map<const api::Device*, Derived> known_;
};

}  // namespace dra::engine
