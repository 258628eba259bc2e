// src/engine/scheduler/derived_attribute.cpp: evaluates the expression and converts its value to an
// attribute.

#include "src/engine/scheduler/derived_attribute.h"

#include "dra/base/text.h"

namespace dra::engine {
namespace {

using cel::Value;
using cel::ValueKind;

constexpr std::string_view kSemver = "kubernetes.Semver";

bool is_version(const Value& value) {
  return value.is(ValueKind::Opaque) && value.as_opaque().type_name() == kSemver;
}

bool same_type(const Value& a, const Value& b) {
  return a.kind() == b.kind() && is_version(a) == is_version(b);
}

}  // namespace

const Derived& DerivedAttribute::of(const PoolDevice& device) {
  const auto known = known_.find(device.device);
  if (known != known_.end()) return known->second;
  return known_.emplace(device.device, evaluate(device)).first->second;
}

Derived DerivedAttribute::evaluate(const PoolDevice& device) {
  if (selector_.program() == nullptr)
    return {.error = "does not compile: " + on_one_line(*selector_.failure())};
  device_.set(device.slice->spec.driver, *device.device);
  if (!device_.problem().empty()) return {.error = "fails: " + device_.problem()};
  const Value value = selector_.value(device_, run_);
  if (value.is_error()) return {.error = base::format("fails: {}", value.text())};
  if (auto attribute = attribute_of(value)) return {.value = std::move(attribute)};
  return {.error = "has a value that attributes cannot have"};
}

std::string_view DerivedAttribute::keep(const Value& text) {
  return texts_.emplace_back(is_version(text) ? text.as_opaque().text() : std::string(text.text()));
}

std::optional<api::DeviceAttribute> DerivedAttribute::attribute_of(const Value& value) {
  if (is_version(value)) return api::DeviceAttribute::version(keep(value));
  switch (value.kind()) {
    case ValueKind::Bool:
      return api::DeviceAttribute::boolean(value.as_bool());
    case ValueKind::Int:
      return api::DeviceAttribute::integer(value.as_int());
    case ValueKind::String:
      return api::DeviceAttribute::string(keep(value));
    case ValueKind::List:
      return list_of(value.as_list());
    case ValueKind::Optional:
      return value.content() == nullptr ? std::nullopt : attribute_of(*value.content());
    default:
      return std::nullopt;
  }
}

// All items must have the type of the first. An empty list makes an attribute without a value.
std::optional<api::DeviceAttribute> DerivedAttribute::list_of(const cel::ListValue& list) {
  api::DeviceAttribute attribute;
  if (list.size() == 0) return attribute;
  std::vector<std::int64_t> ints;
  std::vector<bool> bools;
  std::vector<std::string_view> texts;
  const Value first = list.at(0);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Value value = list.at(i);
    if (!same_type(value, first)) return std::nullopt;
    if (value.is(ValueKind::Bool)) {
      bools.push_back(value.as_bool());
    } else if (value.is(ValueKind::Int)) {
      ints.push_back(value.as_int());
    } else if (value.is(ValueKind::String) || is_version(value)) {
      texts.push_back(keep(value));
    } else {
      return std::nullopt;
    }
  }
  if (!ints.empty()) attribute.set_ints(std::move(ints));
  if (!bools.empty()) attribute.set_bools(std::move(bools));
  if (!texts.empty() && is_version(first))
    attribute.set_versions(std::move(texts));
  else if (!texts.empty())
    attribute.set_strings(std::move(texts));
  return attribute;
}

}  // namespace dra::engine
