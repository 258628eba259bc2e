// include/dra/engine/whatif/max_request.h
//
// The largest request that still fits on each node: how many devices of a class a claim gets there
// now. The allocator runs with one device more each time, so taints, pools, counters and shares
// count as they do for a pod. Nodes that are not ready or cordoned take no pods. Other filters
// depend on the pod and do not count.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "dra/engine/cluster/inventory.h"
#include "dra/engine/cluster/nodes.h"

namespace dra::engine {

struct MaxRequest {
  std::int64_t count = 0;  // at most api::kMaxResults, as many as a claim can hold
  bool known = true;       // false: there may be more; something was not readable, or took too long
};

// By node; without nodes on which certainly nothing fits.
using MaxRequests = std::map<std::string_view, MaxRequest>;

// The class need not be the snapshot's.
MaxRequests max_requests(const snapshot::Snapshot& snapshot, const Inventory& inventory,
                         const Nodes& nodes, const api::DeviceClass& device_class);

// A class of every device of the driver. `driver` and `text`, which gets the expression, must
// outlive it.
api::DeviceClass class_of_driver(std::string_view driver, std::string& text);

}  // namespace dra::engine
