// src/api/device_models.cpp: each slice is compared with the last few models of slices, and each of
// its devices, if none fits, with the last few models of devices.

#include "dra/api/device_models.h"

#include <algorithm>
#include <bit>

#include "dra/base/same_text.h"

namespace dra::api {
namespace {

constexpr std::size_t kMaxModels = 256;
constexpr std::size_t kMaxModelled = 4096;  // devices in models of slices
constexpr std::size_t kMaxRecent = 8;       // models that are tried for a device
constexpr std::size_t kMaxAttributes = 64;  // bits of Device::differs

void share(std::string_view& text, std::string_view other) {
  if (base::same_text(text, other)) text = other;
}

bool has_bits_for(const Device& device) { return device.attributes.size() <= kMaxAttributes; }

// A device without fields about nodes, taints, counters, shares and binding, without policies of
// capacity, and with a bit for each attribute.
bool is_plain(const Device& device) {
  return has_bits_for(device) && device.consumes.empty() && device.node_name.empty() &&
         !device.node_selector && !device.all_nodes && device.taints.empty() &&
         !device.binds_to_node && device.binding_conditions.empty() &&
         device.binding_failure_conditions.empty() && !device.allow_multiple_allocations &&
         std::ranges::none_of(device.capacity, [](const auto& capacity) {
           return capacity.value.policy.has_value();
         });
}

bool same_capacity(const Device& device, const Device& model) {
  return std::ranges::equal(device.capacity, model.capacity, [](const auto& a, const auto& b) {
    return base::same_text(a.key, b.key) && base::same_text(a.value.value.text, b.value.value.text);
  });
}

// The places at which attributes have another value. No value: more than that differs, or more than
// half of the attributes do.
std::optional<std::uint64_t> differences(const Device& device, const Device& model) {
  if (device.attributes.size() != model.attributes.size() || !same_capacity(device, model))
    return std::nullopt;
  std::uint64_t differs = 0;
  for (std::size_t i = 0; i < device.attributes.size(); ++i) {
    const auto& [key, value] = device.attributes[i];
    const auto& [model_key, model_value] = model.attributes[i];
    if (!base::same_text(key, model_key) || value.kind() != model_value.kind()) return std::nullopt;
    if (value == model_value) continue;
    if (value.is_list()) return std::nullopt;
    differs |= std::uint64_t{1} << i;
  }
  const auto half = static_cast<int>(device.attributes.size() / 2);
  return std::popcount(differs) <= half ? std::optional(differs) : std::nullopt;
}

void share_texts(Device& device, const Device& model) {
  for (std::size_t i = 0; i < device.attributes.size(); ++i) {
    device.attributes[i].key = model.attributes[i].key;
    device.attributes[i].value.share_text(model.attributes[i].value);
  }
  for (std::size_t i = 0; i < device.capacity.size(); ++i) {
    device.capacity[i].key = model.capacity[i].key;
    device.capacity[i].value.value.text = model.capacity[i].value.value.text;
  }
}

// Moves the model at a place to the front: the next device or slice is mostly like the last one.
template <class T>
const T* use(std::vector<const T*>& recent, std::size_t place) {
  const auto at = recent.begin() + static_cast<std::ptrdiff_t>(place);
  std::rotate(recent.begin(), at, at + 1);
  return recent.front();
}

template <class T>
const T* remember(std::vector<const T*>& recent, const T& model) {
  if (recent.size() == kMaxRecent) recent.pop_back();
  recent.insert(recent.begin(), &model);
  return &model;
}

}  // namespace

std::uint64_t place_of(const Map<DeviceAttribute>& attributes, const DeviceAttribute* one) {
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    if (&attributes[i].value == one) return std::uint64_t{1} << i;
  }
  return 0;
}

Likeness RecentModels::likeness_of(const Device& device) {
  for (std::size_t i = 0; i < recent_.size(); ++i) {
    const auto differs = differences(device, *recent_[i]);
    if (differs) return {use(recent_, i), *differs};
  }
  return {};
}

const Device* RecentModels::remember(const Device& model) {
  return has_bits_for(model) ? api::remember(recent_, model) : nullptr;
}

void DeviceModels::add(ResourceSlice& slice) {
  SliceSpec& spec = slice.spec;
  spec.devices.shrink_to_fit();
  share(spec.driver, driver_);
  driver_ = spec.driver;
  bool plain = true;
  for (std::size_t i = 0; i < spec.devices.size(); ++i) {
    Device& device = spec.devices[i];
    device.attributes.shrink_to_fit();
    device.capacity.shrink_to_fit();
    if (i == names_.size()) names_.push_back(device.name);
    share(device.name, names_[i]);
    names_[i] = device.name;
    plain = plain && is_plain(device);
  }
  if (plain && !spec.devices.empty() && (slice_model_of(spec) != nullptr || make_model_of(spec)))
    return;
  for (Device& device : spec.devices) {
    if (is_plain(device)) device.model = model_of(device);
  }
}

// True if the slice is like the model; then the slice and its devices get it.
bool DeviceModels::follow(SliceSpec& slice, const SliceModel& model) {
  if (model.devices.size() != slice.devices.size() || model.driver != slice.driver) return false;
  differs_.clear();
  for (std::size_t i = 0; i < slice.devices.size(); ++i) {
    const auto differs = differences(slice.devices[i], model.devices[i]);
    if (!differs) return false;
    differs_.push_back(*differs);
  }
  slice.model = &model;
  slice.names_as_model = true;
  for (std::size_t i = 0; i < slice.devices.size(); ++i) {
    Device& device = slice.devices[i];
    device.model = &model.devices[i];
    device.differs = differs_[i];
    slice.differs |= differs_[i];
    slice.names_as_model = slice.names_as_model && device.name == model.devices[i].name;
    share_texts(device, model.devices[i]);
  }
  return true;
}

const SliceModel* DeviceModels::slice_model_of(SliceSpec& slice) {
  for (std::size_t i = 0; i < recent_slices_.size(); ++i) {
    if (follow(slice, *recent_slices_[i])) return use(recent_slices_, i);
  }
  return nullptr;
}

bool DeviceModels::make_model_of(SliceSpec& slice) {
  if (modelled_ + slice.devices.size() > kMaxModelled) return false;
  modelled_ += slice.devices.size();
  SliceModel& model = slice_models_.emplace_back(SliceModel{slice.driver, slice.devices});
  const auto name_of = [](const Device& device) { return device.name; };
  const auto not_less = std::ranges::greater_equal();
  model.names_ascend =
      std::ranges::adjacent_find(model.devices, not_less, name_of) == model.devices.end();
  return follow(slice, *remember(recent_slices_, model));
}

const Device* DeviceModels::model_of(Device& device) {
  const Likeness likeness = recent_.likeness_of(device);
  if (likeness.model == nullptr) return make(device);
  device.differs = likeness.differs;
  share_texts(device, *likeness.model);
  return likeness.model;
}

const Device* DeviceModels::make(const Device& device) {
  if (models_.size() == kMaxModels) return nullptr;
  return recent_.remember(models_.emplace_back(device));
}

}  // namespace dra::api
