// src/report/describe/describe_allocation.h
//
// What an allocated claim got: each device with what it publishes, where it is, who else has it,
// what its driver says of it, and what is wrong with it.

#pragma once

#include "dra/report/describe/describe_parts.h"

namespace dra::report {

// The claim must be allocated. What is wrong goes to the odd things of the description.
void add_allocation(Description& out, const api::ResourceClaim& claim,
                    std::string title = "Devices");

// Commands that go on from the claim's devices: the one that something is wrong with; its pool, or
// its node, if it is not published any more; else all of them.
void add_device_links(Description& out, const api::ResourceClaim& claim);

// What drivers wrote into the claim's status: conditions, network data, data of their own.
void add_device_status(Description& out, const api::ResourceClaim& claim);

}  // namespace dra::report
