// src/engine/whatif/node_room.h
//
// How many of the pods that may come to a node leave room there for one more, by counts alone: what
// each takes at most of devices and of resources. Any so many of them do, and perhaps more. Cheap,
// where trying them one after the other is not.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "dra/engine/cluster/inventory.h"
#include "dra/engine/cluster/node_loads.h"
#include "dra/engine/scheduler/demands.h"
#include "dra/engine/scheduler/pod_claims.h"

namespace dra::engine {

// What a pod takes of whichever node it is on, at most.
struct PodTakes {
  std::int64_t devices = 0;
  std::vector<Amount> amounts = {};
};
PodTakes takes_of(const Subject& subject, const RequestRules& rules);

// How many devices of the node can be taken, whichever, and the subject still gets its own: the
// number of claims' devices that others may have. 0 where it cannot be said by counting, and the
// largest number if the subject asks for none.
std::int64_t spare_devices(const Inventory& inventory, const Demands& demands,
                           const Subject& subject, const api::Node& node);

// What a node has beyond what a pod needs.
struct NodeSpare {
  std::int64_t devices = 0;
  std::int64_t pods = 0;
  std::vector<Amount> amounts = {};  // of what the pod requests
  bool countable = true;             // false: more than these decides about the pod
};
// Pods that are nominated for the node count.
NodeSpare spare_on(const api::Node& node, const NodeLoads& loads, const api::Pod& pod,
                   std::int64_t devices);
void take(NodeSpare& spare, const PodTakes& takes);

// Pods of which any may come.
class Crowd {
 public:
  // As many resources are asked about as `wanted` has.
  Crowd(std::span<const PodTakes* const> pods, const std::vector<Amount>& wanted);

  // So many of them leave room, whichever they are.
  std::size_t leaving_room(const NodeSpare& spare) const;
  // Whether all of them together leave the resources that the pod needs, devices aside.
  bool leaves_resources(const NodeSpare& spare) const;

 private:
  struct OfResource {
    std::string_view resource;
    std::vector<std::int64_t> sums;  // of the one that takes most, of the two, and so on
  };

  std::size_t size_;
  std::vector<std::int64_t> devices_;
  std::vector<OfResource> resources_;
};

}  // namespace dra::engine
