// src/report/describe/describe_allocation.h
//
// The devices of an allocated claim: properties, nodes, other holders, the driver's status, and
// problems of each.

#pragma once

#include "dra/report/describe/describe_parts.h"

namespace dra::report {

// The claim must be allocated. Problems are added with Description::problem(). Returns the JSON of
// the allocation, which has a place of its own in each kind of description.
json::Value add_allocation(Description& out, const api::ResourceClaim& claim,
                           std::string title = "Devices");

// Adds commands about the claim's devices: the device with a problem; its pool or node, if the
// device is no longer published; else all of them.
void add_device_links(Description& out, const api::ResourceClaim& claim);

// Sections with the drivers' part of the claim's status: conditions, network data, driver data.
void add_device_status(Description& out, const api::ResourceClaim& claim);

}  // namespace dra::report
