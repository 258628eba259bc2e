// src/engine/device_value.cpp: see device_value.h.

#include "dra/engine/device_value.h"

#include <algorithm>
#include <array>

#include "dra/base/text.h"
#include "dra/cel/kubernetes.h"

namespace dra::engine {
namespace {

using cel::Value;

// In the order in which they are iterated.
constexpr std::array<std::string_view, 4> kFields{"allowMultipleAllocations", "attributes",
                                                  "capacity", "driver"};

template <class List, class Make>
Value list_of(const List& items, cel::Scratch& scratch, Make make) {
  const std::span<Value> values = scratch.values(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    values[i] = make(items[i]);
    if (values[i].is_error()) return values[i];
  }
  return scratch.list(std::span<const Value>(values));
}

Value version_of(std::string_view text, cel::Scratch& scratch) {
  const Value version = cel::parse_semver(text, scratch);
  if (!version.is_error()) return version;
  return scratch.failure(base::format("parse semantic version: {}", version.text()));
}

}  // namespace

QualifiedName split_name(std::string_view name, std::string_view driver) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return {driver, name};
  return {name.substr(0, slash), name.substr(slash + 1)};
}

// Lists count before single values where a device has both, and integers before the others.
Value attribute_value(const api::DeviceAttribute& attribute, cel::Scratch& scratch) {
  const auto version = [&scratch](std::string_view text) { return version_of(text, scratch); };
  if (!attribute.ints.empty()) return list_of(attribute.ints, scratch, Value::integer);
  if (!attribute.bools.empty()) return list_of(attribute.bools, scratch, Value::boolean);
  if (!attribute.strings.empty()) return list_of(attribute.strings, scratch, Value::string);
  if (!attribute.versions.empty()) return list_of(attribute.versions, scratch, version);
  if (attribute.int_value) return Value::integer(*attribute.int_value);
  if (attribute.bool_value) return Value::boolean(*attribute.bool_value);
  if (attribute.string_value) return Value::string(*attribute.string_value);
  if (attribute.version_value) return version(*attribute.version_value);
  return Value::error("unsupported attribute value");
}

DeviceValue::DeviceValue()
    : attributes_(*this), capacity_(*this), empty_map_(cel::make_map(kept_, {})) {}

void DeviceValue::note_problem(std::string_view name, std::string_view what) {
  if (problem_.empty()) problem_ = base::format("attribute {}: {}", name, what);
}

void DeviceValue::set(std::string_view driver, const api::Device& device) {
  driver_ = driver;
  shared_ = device.allow_multiple_allocations;
  problem_.clear();
  scratch_.reset();
  attributes_.clear();
  capacity_.clear();
  for (const auto& [name, attribute] : device.attributes) {
    const bool plain = (attribute.int_value || attribute.bool_value || attribute.string_value) &&
                       attribute.versions.empty();
    Named named{.name = split_name(name, driver), .attribute = &attribute};
    // All others may be unreadable, which matters also to expressions that do not look at them.
    if (!plain) {
      named.value = attribute_value(attribute, scratch_);
      if (named.value->is_error()) note_problem(name, named.value->text());
    }
    attributes_.add(named);
  }
  for (const auto& [name, capacity] : device.capacity)
    capacity_.add({.name = split_name(name, driver), .capacity = &capacity});
}

Value DeviceValue::value_of(const Named& named) const {
  if (!named.value) {
    named.value = named.attribute != nullptr
                      ? attribute_value(*named.attribute, scratch_)
                      : cel::parse_quantity(named.capacity->value.text, scratch_);
  }
  return *named.value;
}

// --- device

std::size_t DeviceValue::size() const { return kFields.size(); }

std::pair<Value, Value> DeviceValue::entry(std::size_t index) const {
  const Value key = Value::string(kFields[index]);
  return {key, *find(key)};
}

std::optional<Value> DeviceValue::find(const Value& key) const {
  if (!key.is(cel::ValueKind::String)) return std::nullopt;
  const std::string_view name = key.text();
  if (name == kFields[0]) return Value::boolean(shared_);
  if (name == kFields[1]) return Value::map(&attributes_);
  if (name == kFields[2]) return Value::map(&capacity_);
  if (name == kFields[3]) return Value::string(driver_);
  return std::nullopt;
}

// --- device.attributes and device.capacity

void DeviceValue::Domains::clear() {
  all_.clear();
  made_.clear();
}

// Whether the name is the first of its domain.
bool DeviceValue::Domains::begins(std::size_t at) const {
  const auto end = all_.begin() + static_cast<std::ptrdiff_t>(at);
  return std::none_of(all_.begin(), end, [&](const Named& named) {
    return named.name.domain == all_[at].name.domain;
  });
}

std::size_t DeviceValue::Domains::size() const {
  std::size_t count = 0;
  for (std::size_t at = 0; at < all_.size(); ++at)
    count += begins(at) ? 1 : 0;
  return count;
}

std::pair<Value, Value> DeviceValue::Domains::entry(std::size_t index) const {
  for (std::size_t at = 0;; ++at) {
    if (!begins(at) || index-- > 0) continue;
    const std::string_view domain = all_[at].name.domain;
    return {Value::string(domain), ids_of(domain)};
  }
}

Value DeviceValue::Domains::ids_of(std::string_view domain) const {
  for (const auto& [name, ids] : made_) {
    if (name == domain) return ids;
  }
  const Value ids = Value::map(device_.scratch_.make<Ids>(device_, all_, domain));
  made_.emplace_back(domain, ids);
  return ids;
}

std::optional<Value> DeviceValue::Domains::find(const Value& key) const {
  if (!key.is(cel::ValueKind::String)) return std::nullopt;
  const auto known = std::ranges::find_if(
      all_, [&key](const Named& named) { return named.name.domain == key.text(); });
  if (known == all_.end()) return std::nullopt;
  return ids_of(known->name.domain);
}

std::optional<Value> DeviceValue::Domains::fallback() const { return device_.empty_map_; }

// --- device.attributes["domain"]

// Whether the name is of this domain, and the first with its id.
bool DeviceValue::Ids::counts(std::size_t at) const {
  const QualifiedName& name = all_[at].name;
  if (name.domain != domain_) return false;
  const auto end = all_.begin() + static_cast<std::ptrdiff_t>(at);
  return std::none_of(all_.begin(), end, [&name](const Named& named) {
    return named.name.id == name.id && named.name.domain == name.domain;
  });
}

std::size_t DeviceValue::Ids::size() const {
  std::size_t count = 0;
  for (std::size_t at = 0; at < all_.size(); ++at)
    count += counts(at) ? 1 : 0;
  return count;
}

std::pair<Value, Value> DeviceValue::Ids::entry(std::size_t index) const {
  for (std::size_t at = 0;; ++at) {
    if (!counts(at) || index-- > 0) continue;
    return {Value::string(all_[at].name.id), device_.value_of(all_[at])};
  }
}

std::optional<Value> DeviceValue::Ids::find(const Value& key) const {
  if (!key.is(cel::ValueKind::String)) return std::nullopt;
  for (const Named& named : all_) {
    if (named.name.id == key.text() && named.name.domain == domain_) {
      return device_.value_of(named);
    }
  }
  return std::nullopt;
}

}  // namespace dra::engine
