// include/dra/engine/whatif/max_request.h
//
// The largest request that still fits on one node: of how many devices of a class a claim could get
// now. The allocator is asked, with one device more each time, so that taints, pools, counters and
// shares count as they do for a pod. Nodes that are not ready or cordoned take no pods; what else
// keeps a pod from a node depends on the pod, and does not count.

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
  bool known = true;       // false: there may be more; not all could be read, or looked at in time
};

// By node; nodes on which nothing fits are left out, unless that is not known.
using MaxRequests = std::map<std::string_view, MaxRequest>;

// For requests of the class, which need not be the snapshot's.
MaxRequests max_requests(const snapshot::Snapshot& snapshot, const Inventory& inventory,
                         const Nodes& nodes, const api::DeviceClass& device_class);

// A class of every device of the driver, which must outlive it, as must `text`: it holds the
// expression.
api::DeviceClass class_of_driver(std::string_view driver, std::string& text);

}  // namespace dra::engine
