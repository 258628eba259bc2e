// src/api/device_models.cpp: see device_models.h.

#include "dra/api/device_models.h"

#include <algorithm>
#include <bit>

namespace dra::api {
namespace {

constexpr std::size_t kMaxModels = 256;
constexpr std::size_t kMaxRecent = 8;       // that are tried for a device
constexpr std::size_t kMaxAttributes = 64;  // bits of Device::differs

void share(std::string_view& text, std::string_view other) {
  if (text == other) text = other;
}

// Those that say nothing of nodes, taints, counters, shares and binding, and whose capacity has no
// policy.
bool is_plain(const Device& device) {
  return device.consumes.empty() && device.node_name.empty() && !device.node_selector &&
         !device.all_nodes && device.taints.empty() && !device.binds_to_node &&
         device.binding_conditions.empty() && device.binding_failure_conditions.empty() &&
         !device.allow_multiple_allocations &&
         std::ranges::none_of(device.capacity, [](const auto& capacity) {
           return capacity.value.policy.has_value();
         });
}

bool same_capacity(const Device& device, const Device& model) {
  return std::ranges::equal(device.capacity, model.capacity, [](const auto& a, const auto& b) {
    return a.key == b.key && a.value.value.text == b.value.value.text;
  });
}

// The places at which attributes have another value. Nothing if there is more to it, or more than
// half of them have.
std::optional<std::uint64_t> differences(const Device& device, const Device& model) {
  if (device.attributes.size() != model.attributes.size() || !same_capacity(device, model))
    return std::nullopt;
  std::uint64_t differs = 0;
  for (std::size_t i = 0; i < device.attributes.size(); ++i) {
    const auto& [key, value] = device.attributes[i];
    const auto& [model_key, model_value] = model.attributes[i];
    if (key != model_key || value.kind() != model_value.kind()) return std::nullopt;
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

}  // namespace

void DeviceModels::add(ResourceSlice& slice) {
  auto& devices = slice.spec.devices;
  devices.shrink_to_fit();
  share(slice.spec.driver, driver_);
  driver_ = slice.spec.driver;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    Device& device = devices[i];
    device.attributes.shrink_to_fit();
    device.capacity.shrink_to_fit();
    if (i == names_.size()) names_.push_back(device.name);
    share(device.name, names_[i]);
    names_[i] = device.name;
    if (is_plain(device) && device.attributes.size() <= kMaxAttributes)
      device.model = model_of(device);
  }
}

const Device* DeviceModels::model_of(Device& device) {
  for (std::size_t i = 0; i < recent_.size(); ++i) {
    const auto differs = differences(device, *recent_[i]);
    if (!differs) continue;
    std::rotate(recent_.begin(), recent_.begin() + static_cast<std::ptrdiff_t>(i),
                recent_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    device.differs = *differs;
    share_texts(device, *recent_.front());
    return recent_.front();
  }
  return make(device);
}

const Device* DeviceModels::make(const Device& device) {
  if (models_.size() == kMaxModels) return nullptr;
  models_.push_back(device);
  if (recent_.size() == kMaxRecent) recent_.pop_back();
  recent_.insert(recent_.begin(), &models_.back());
  return recent_.front();
}

}  // namespace dra::api
