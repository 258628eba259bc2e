// src/topology/alignments.cpp: counts free devices by the values of their attributes.

#include "src/topology/alignments.h"

#include <algorithm>
#include <array>
#include <set>

#include "dra/base/text.h"
#include "dra/engine/facts/device_attribute.h"
#include "src/topology/labels.h"

namespace dra::topology {
namespace {

using engine::DeviceState;
using engine::InventoryDevice;

// Attributes whose values name sets of devices: NVIDIA's Fabric Manager, AWS.
struct SetAttribute {
  std::string_view name;
  std::int64_t size;  // of a whole set: some of its devices may be unpublished
};
constexpr std::array kSetAttributes = {SetAttribute{"gpu.nvidia.com/partition1", 1},
                                       SetAttribute{"gpu.nvidia.com/partition2", 2},
                                       SetAttribute{"gpu.nvidia.com/partition4", 4},
                                       SetAttribute{"gpu.nvidia.com/partition8", 8},
                                       SetAttribute{"resource.aws.com/devicegroup1_id", 1},
                                       SetAttribute{"resource.aws.com/devicegroup4_id", 4},
                                       SetAttribute{"resource.aws.com/devicegroup8_id", 8},
                                       SetAttribute{"resource.aws.com/devicegroup16_id", 16}};

std::string_view driver_of(const InventoryDevice& device) {
  return device.published.slice->spec.driver;
}

const api::DeviceAttribute* attribute_of(const InventoryDevice& device, std::string_view name) {
  return engine::attribute_for(*device.published.device, driver_of(device), name);
}

// Another claim could get the device.
bool is_free(const InventoryDevice& device) {
  return device.state == DeviceState::Free || device.state == DeviceState::Shared;
}

// The values that constraints see: one, or each of a list if the release knows lists; else none.
std::vector<std::string> values_of(const api::DeviceAttribute& attribute, bool lists) {
  if (!attribute.is_list()) return {engine::attribute_text(attribute)};
  return lists ? engine::attribute_items(attribute) : std::vector<std::string>();
}

Alignment alignment_of(const engine::Inventory& inventory, std::span<const std::size_t> devices,
                       const std::string& name, bool lists) {
  Alignment alignment{.attribute = name, .values = {}};
  std::map<std::string, AlignedValue> values;
  std::set<std::string_view> lack;
  std::set<std::string_view> have;
  for (const std::size_t number : devices) {
    const InventoryDevice& device = inventory.devices()[number];
    const api::DeviceAttribute* attribute = attribute_of(device, name);
    if (attribute == nullptr) {
      lack.insert(driver_of(device));
      continue;
    }
    have.insert(driver_of(device));
    for (const std::string& value : values_of(*attribute, lists)) {
      AlignedValue& one = values.try_emplace(value, AlignedValue{value, {}}).first->second;
      auto& free = one.free.try_emplace(driver_of(device), 0).first->second;
      if (device.state == DeviceState::Unknown) free.reset();
      if (free && is_free(device)) ++*free;
    }
  }
  for (auto& [value, one] : values)
    alignment.values.push_back(std::move(one));
  std::ranges::sort(alignment.values, value_before, &AlignedValue::value);
  for (const std::string_view driver : lack) {
    if (!have.contains(driver)) alignment.lack.emplace_back(driver);
  }
  return alignment;
}

// A constraint can match two devices with one value.
bool can_match(const Alignment& alignment, std::size_t devices) {
  return !alignment.values.empty() && alignment.values.size() < devices;
}

// The devices of one type in a set. A driver may publish each device twice, once as it is and once
// for virtual machines, and a claim takes one of the two.
struct Members {
  std::int64_t free = 0;
  std::int64_t unknown = 0;  // with unknown holders
};
using Sets = std::map<std::string, std::map<std::string, Members>>;  // by value, then type

std::string type_of(const InventoryDevice& device) {
  const auto* type = engine::own_attribute(*device.published.device, driver_of(device), "type");
  return type == nullptr ? std::string() : engine::attribute_text(*type);
}

DeviceSets sets_named(const SetAttribute& attribute, const Sets& sets) {
  DeviceSets out{.attribute = std::string(attribute.name), .size = attribute.size};
  for (const auto& [value, types] : sets) {
    ++out.total;
    const bool free = std::ranges::any_of(
        types, [&out](const auto& type) { return type.second.free == out.size; });
    // A set of which a part is taken is not free, even if the rest is not known.
    const bool open = std::ranges::any_of(types, [&out](const auto& type) {
      return type.second.unknown > 0 && type.second.free + type.second.unknown >= out.size;
    });
    if (open && !free) out.free.reset();
    if (free && out.free) ++*out.free;
  }
  return out;
}

}  // namespace

bool value_before(std::string_view a, std::string_view b) {
  const auto x = number_in(a);
  const auto y = number_in(b);
  if (x && y && *x != *y) return *x < *y;
  if (x.has_value() != y.has_value()) return x.has_value();
  return a < b;  // "01" and "1", too, are two values
}

std::vector<Alignment> alignments_of(const engine::Inventory& inventory,
                                     std::span<const std::size_t> devices,
                                     const std::vector<Level>& levels, bool lists) {
  std::vector<Alignment> alignments;
  for (const Level& level : levels) {
    Alignment one = alignment_of(inventory, devices, level.attributes.front(), lists);
    if (can_match(one, devices.size())) alignments.push_back(std::move(one));
  }
  return alignments;
}

std::vector<DeviceSets> sets_of(const engine::Inventory& inventory,
                                std::span<const std::size_t> devices) {
  std::vector<DeviceSets> all;
  for (const SetAttribute& one : kSetAttributes) {
    Sets sets;
    for (const std::size_t number : devices) {
      const InventoryDevice& device = inventory.devices()[number];
      const api::DeviceAttribute* attribute = attribute_of(device, one.name);
      if (attribute == nullptr) continue;
      Members& members = sets[engine::attribute_text(*attribute)][type_of(device)];
      members.free += device.state == DeviceState::Free ? 1 : 0;
      members.unknown += device.state == DeviceState::Unknown ? 1 : 0;
    }
    if (!sets.empty()) all.push_back(sets_named(one, sets));
  }
  return all;
}

}  // namespace dra::topology
