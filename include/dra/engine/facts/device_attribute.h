// include/dra/engine/facts/device_attribute.h
//
// Attributes of one device by the names that constraints and people use for them, and as text.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dra/api/slice.h"

namespace dra::engine {

// The attribute that a constraint means: by its full name, or by its bare one if the domain is the
// driver's. nullptr if the device has none.
const api::DeviceAttribute* attribute_for(const api::Device& device, std::string_view driver,
                                          std::string_view name);

// An attribute of the driver's own, written with its domain or without. nullptr if there is none.
const api::DeviceAttribute* own_attribute(const api::Device& device, std::string_view driver,
                                          std::string_view name);

// The value: "gpu", "true", "[0 1]".
std::string attribute_text(const api::DeviceAttribute& attribute);

// Of one that is a list, each of its values; else nothing.
std::vector<std::string> attribute_items(const api::DeviceAttribute& attribute);

}  // namespace dra::engine
