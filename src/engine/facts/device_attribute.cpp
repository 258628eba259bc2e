// src/engine/facts/device_attribute.cpp: see device_attribute.h.

#include "dra/engine/facts/device_attribute.h"

#include "dra/base/text.h"
#include "dra/engine/facts/device_value.h"

namespace dra::engine {

const api::DeviceAttribute* attribute_for(const api::Device& device, std::string_view driver,
                                          std::string_view name) {
  if (const auto* exact = api::find(device.attributes, name)) return exact;
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos || name.substr(0, slash) != driver) return nullptr;
  return api::find(device.attributes, name.substr(slash + 1));
}

std::string full_attribute_name(std::string_view driver, std::string_view name) {
  return name.find('/') == std::string_view::npos ? base::format("{}/{}", driver, name)
                                                  : std::string(name);
}

const api::DeviceAttribute* own_attribute(const api::Device& device, std::string_view driver,
                                          std::string_view name) {
  if (const auto* bare = api::find(device.attributes, name)) return bare;
  for (const auto& [key, value] : device.attributes) {
    const QualifiedName full = split_name(key, {});
    if (full.domain == driver && full.id == name) return &value;
  }
  return nullptr;
}

std::vector<std::string> attribute_items(const api::DeviceAttribute& attribute) {
  std::vector<std::string> items;
  for (const std::int64_t item : attribute.lists().ints)
    items.push_back(std::to_string(item));
  for (const bool item : attribute.lists().bools)
    items.emplace_back(item ? "true" : "false");
  for (const std::string_view item : attribute.lists().strings)
    items.emplace_back(item);
  for (const std::string_view item : attribute.lists().versions)
    items.emplace_back(item);
  return items;
}

std::string attribute_text(const api::DeviceAttribute& attribute) {
  using Kind = api::DeviceAttribute::Kind;
  if (attribute.kind() == Kind::Int) return std::to_string(attribute.as_int());
  if (attribute.kind() == Kind::Bool) return attribute.as_bool() ? "true" : "false";
  if (attribute.kind() == Kind::String || attribute.kind() == Kind::Version)
    return std::string(attribute.text());
  return "[" + base::join(attribute_items(attribute), " ") + "]";
}

}  // namespace dra::engine
