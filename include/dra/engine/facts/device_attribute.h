// include/dra/engine/facts/device_attribute.h
//
// Attributes of a device: looked up by the names that constraints and people use, and as text.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dra/api/slice.h"

namespace dra::engine {

// The attribute that a constraint names: by its full name, or by its bare name if the domain is the
// driver's. nullptr if the device does not have it.
const api::DeviceAttribute* attribute_for(const api::Device& device, std::string_view driver,
                                          std::string_view name);

// The name with its domain, which is the driver's if the name has none. Of capacities, too.
std::string full_attribute_name(std::string_view driver, std::string_view name);

// An attribute of the driver itself, written with its domain or without. nullptr if there is none.
const api::DeviceAttribute* own_attribute(const api::Device& device, std::string_view driver,
                                          std::string_view name);

// The value: "gpu", "true", "[0 1]".
std::string attribute_text(const api::DeviceAttribute& attribute);

// The values of a list; empty for an attribute that is not one.
std::vector<std::string> attribute_items(const api::DeviceAttribute& attribute);

}  // namespace dra::engine
