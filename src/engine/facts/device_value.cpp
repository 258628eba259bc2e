// src/engine/facts/device_value.cpp: the maps that `device` consists of. Each map is a view that
// makes its entries when they are read; device.attributes groups names by domain, and the driver is
// the domain of names without one.

#include "dra/engine/facts/device_value.h"

#include <algorithm>
#include <array>

#include "dra/base/text.h"
#include "dra/cel/library/kubernetes.h"

namespace dra::engine {
namespace {

using cel::Value;

// In the order of iteration.
constexpr std::array<std::string_view, 4> kFields{"allowMultipleAllocations", "attributes",
                                                  "capacity", "driver"};

// A list attribute as a CEL list.
class Items final : public cel::ListValue {
 public:
  explicit Items(std::span<const Value> values) : values_(values) {}
  std::size_t size() const override { return values_.size(); }
  Value at(std::size_t index) const override { return values_[index]; }
  bool rebuilt_on_read() const override { return true; }

 private:
  std::span<const Value> values_;
};

template <class List, class Make>
Value list_of(const List& items, cel::Scratch& scratch, Make make) {
  const std::span<Value> values = scratch.values(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    values[i] = make(items[i]);
    if (values[i].is_error()) return values[i];
  }
  return Value::list(scratch.make<Items>(values));
}

Value version_of(std::string_view text, cel::Scratch& scratch) {
  const Value version = cel::parse_semver(text, scratch);
  if (!version.is_error()) return version;
  return scratch.failure(base::format("parse semantic version: {}", version.text()));
}

// Only versions, and values of no known kind, can be malformed.
bool can_be_wrong(api::DeviceAttribute::Kind kind) {
  using Kind = api::DeviceAttribute::Kind;
  return kind == Kind::Version || kind == Kind::Versions || kind == Kind::None;
}

std::string flaw_of(std::string_view name, const api::DeviceAttribute& attribute) {
  const bool version = attribute.kind() == api::DeviceAttribute::Kind::Version;
  if (version && cel::is_semver(attribute.text())) return {};
  cel::Scratch scratch;
  const Value value = value_of(attribute, scratch);
  if (!value.is_error()) return {};
  return base::format("attribute {}: {}", name, value.text());
}

}  // namespace

QualifiedName split_name(std::string_view name, std::string_view driver) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return {driver, name};
  return {name.substr(0, slash), name.substr(slash + 1)};
}

Value value_of(const api::DeviceAttribute& attribute, cel::Scratch& scratch) {
  using Kind = api::DeviceAttribute::Kind;
  const auto version = [&scratch](std::string_view text) { return version_of(text, scratch); };
  switch (attribute.kind()) {
    case Kind::Ints:
      return list_of(attribute.lists().ints, scratch, Value::integer);
    case Kind::Bools:
      return list_of(attribute.lists().bools, scratch, Value::boolean);
    case Kind::Strings:
      return list_of(attribute.lists().strings, scratch, Value::string);
    case Kind::Versions:
      return list_of(attribute.lists().versions, scratch, version);
    case Kind::Int:
      return Value::integer(attribute.as_int());
    case Kind::Bool:
      return Value::boolean(attribute.as_bool());
    case Kind::String:
      return Value::string(attribute.text());
    case Kind::Version:
      return version(attribute.text());
    case Kind::None:
      break;
  }
  return Value::error("unsupported attribute value");
}

Value value_of(const api::DeviceCapacity& capacity, cel::Scratch& scratch) {
  return cel::parse_quantity(capacity.value.text, scratch);
}

std::string FlawFinder::find(const api::Device& device, const api::Likeness& likeness) {
  if (likeness.model == nullptr) return look_at(device.attributes);
  if (likeness.model != model_) look_at_model(*likeness.model);
  const bool as_model = (likeness.differs & may_be_wrong_) == 0;
  return as_model ? flaw_of_model_ : look_at(device.attributes);
}

bool FlawFinder::none_in(const api::SliceModel& model, std::uint64_t differs) {
  if (&model != slice_model_) {
    slice_model_ = &model;
    may_be_wrong_in_slice_ = 0;
    bool wrong = false;
    for (const api::Device& device : model.devices) {
      look_at_model(device);
      may_be_wrong_in_slice_ |= may_be_wrong_;
      wrong = wrong || !flaw_of_model_.empty();
    }
    slice_is_wrong_ = wrong;
  }
  return !slice_is_wrong_ && (differs & may_be_wrong_in_slice_) == 0;
}

void FlawFinder::look_at_model(const api::Device& model) {
  model_ = &model;
  may_be_wrong_ = 0;
  for (std::size_t i = 0; i < model.attributes.size(); ++i) {
    if (can_be_wrong(model.attributes[i].value.kind())) may_be_wrong_ |= std::uint64_t{1} << i;
  }
  flaw_of_model_ = look_at(model.attributes);
}

std::string FlawFinder::look_at(const api::Map<api::DeviceAttribute>& attributes) {
  if (good_versions_.size() < attributes.size()) good_versions_.resize(attributes.size());
  auto good_version = good_versions_.begin();
  for (const auto& [name, attribute] : attributes) {
    std::string& good = *good_version++;
    if (!can_be_wrong(attribute.kind())) continue;
    const bool version = attribute.kind() == api::DeviceAttribute::Kind::Version;
    if (version && !good.empty() && attribute.text() == good) continue;
    std::string flaw = flaw_of(name, attribute);
    if (!flaw.empty()) return flaw;
    if (version) good = attribute.text();
  }
  return {};
}

std::string_view first_list(const api::Map<api::DeviceAttribute>& attributes) {
  const auto list = std::ranges::find_if(
      attributes, [](const auto& attribute) { return attribute.value.is_list(); });
  return list == attributes.end() ? std::string_view() : std::string_view(list->key);
}

// --- device.attributes["domain"]

template <class T>
class DeviceValue::Ids final : public cel::MapValue {
 public:
  Ids(const DeviceValue& device, const api::Map<T>& all, std::string_view domain)
      : device_(device), all_(all), domain_(domain) {}

  std::size_t size() const override {
    std::size_t count = 0;
    for (const auto& [name, value] : all_)
      count += counts(name) ? 1 : 0;
    return count;
  }

  std::pair<Value, Value> entry(std::size_t index) const override {
    for (const auto& [name, value] : all_) {
      if (!counts(name) || index-- > 0) continue;
      const std::string_view id = split_name(name, device_.driver_).id;
      return {Value::string(id), device_.read(value)};
    }
    return {};
  }

  std::optional<Value> find(const Value& key) const override {
    if (!key.is(cel::ValueKind::String)) return std::nullopt;
    const T* found = NameFinder(domain_, key.text()).find(all_, device_.driver_);
    if (found == nullptr) return std::nullopt;
    return device_.read(*found);
  }

  bool rebuilt_on_read() const override { return true; }

 private:
  // Whether a name belongs to this domain; of `x` and `driver/x` only the first does.
  bool counts(std::string_view name) const {
    const QualifiedName parts = split_name(name, device_.driver_);
    if (parts.domain != domain_) return false;
    const bool qualified = parts.id.size() != name.size();
    const bool rivalled = qualified && domain_ == device_.driver_ &&
                          parts.id.find('/') == std::string_view::npos &&
                          api::find(all_, parts.id) != nullptr;
    return !rivalled;
  }

  const DeviceValue& device_;
  const api::Map<T>& all_;
  std::string_view domain_;
};

// --- device.attributes and device.capacity

template <class T>
class DeviceValue::Domains final : public cel::MapValue {
 public:
  using Part = api::Map<T> api::Device::*;
  Domains(const DeviceValue& device, Part part) : device_(device), part_(part) {}

  std::size_t size() const override {
    std::size_t count = 0;
    for (std::size_t i = 0; i < all().size(); ++i)
      count += begins(i) ? 1 : 0;
    return count;
  }

  std::pair<Value, Value> entry(std::size_t index) const override {
    for (std::size_t i = 0; i < all().size(); ++i) {
      if (!begins(i) || index-- > 0) continue;
      return {Value::string(domain_of(i)), ids_of(domain_of(i))};
    }
    return {};
  }

  std::optional<Value> find(const Value& key) const override {
    if (!key.is(cel::ValueKind::String)) return std::nullopt;
    for (std::size_t i = 0; i < all().size(); ++i) {
      const std::string_view domain = domain_of(i);
      if (domain == key.text()) return ids_of(domain);
    }
    return std::nullopt;
  }

  std::optional<Value> fallback() const override { return device_.empty_map_; }

 private:
  std::string_view domain_of(std::size_t at) const {
    return split_name(all()[at].key, device_.driver_).domain;
  }

  // Whether the name at that place is the first of its domain.
  bool begins(std::size_t at) const {
    for (std::size_t i = 0; i < at; ++i) {
      if (domain_of(i) == domain_of(at)) return false;
    }
    return true;
  }

  Value ids_of(std::string_view domain) const {
    return Value::map(device_.scratch_.make<Ids<T>>(device_, all(), domain));
  }

  const api::Map<T>& all() const { return device_.device_->*part_; }

  const DeviceValue& device_;
  Part part_;
};

// --- device

DeviceValue::DeviceValue()
    : attributes_(
          Value::map(kept_.make<Domains<api::DeviceAttribute>>(*this, &api::Device::attributes))),
      capacity_(
          Value::map(kept_.make<Domains<api::DeviceCapacity>>(*this, &api::Device::capacity))),
      empty_map_(cel::make_map(kept_, {})) {}

void DeviceValue::set(std::string_view driver, const api::Device& device) {
  driver_ = driver;
  device_ = &device;
  quantities_.clear();
  scratch_.reset();
  problem_ = flaws_.find(device);
}

Value DeviceValue::read(const api::DeviceAttribute& attribute) const {
  return value_of(attribute, scratch_);
}

Value DeviceValue::read(const api::DeviceCapacity& capacity) const {
  const auto known = std::ranges::find(quantities_, &capacity,
                                       &std::pair<const api::DeviceCapacity*, Value>::first);
  if (known != quantities_.end()) return known->second;
  return quantities_.emplace_back(&capacity, value_of(capacity, scratch_)).second;
}

std::size_t DeviceValue::size() const { return kFields.size(); }

std::pair<Value, Value> DeviceValue::entry(std::size_t index) const {
  const Value key = Value::string(kFields[index]);
  return {key, *find(key)};
}

std::optional<Value> DeviceValue::find(const Value& key) const {
  if (!key.is(cel::ValueKind::String)) return std::nullopt;
  const std::string_view name = key.text();
  if (name == kFields[0]) return Value::boolean(device_->allow_multiple_allocations);
  if (name == kFields[1]) return attributes_;
  if (name == kFields[2]) return capacity_;
  if (name == kFields[3]) return Value::string(driver_);
  return std::nullopt;
}

}  // namespace dra::engine
