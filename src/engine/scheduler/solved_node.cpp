// src/engine/scheduler/solved_node.cpp: stores devices as places in the node's order, and looks up
// the devices at these places on the other node.

#include "src/engine/scheduler/solved_node.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "dra/base/text.h"

namespace dra::engine {
namespace {

using PlaceOf = std::unordered_map<std::string, std::size_t>;

PlaceOf places_of(const std::vector<Seen>& devices) {
  PlaceOf places;
  for (std::size_t i = 0; i < devices.size(); ++i)
    places.emplace(to_string(devices[i].published->id()), i);
  return places;
}

}  // namespace

void add_holders(diag::Reason& reason, const Seen& seen) {
  for (const Holding& holding : seen.facts->holders) {
    if (holding.admin()) continue;
    const api::ObjectMeta& meta = holding.claim->meta;
    reason.holders.push_back({base::format("{}/{}", meta.namespace_, meta.name),
                              base::join(pods_of(*holding.claim), ","), to_string(holding.id)});
  }
}

SolvedNode::SolvedNode(const NodeResult& result, const std::vector<Seen>& devices)
    : result_(result) {
  const PlaceOf places = places_of(devices);
  for (const PickedDevice& picked : result_.allocation)
    picked_.push_back(places.at(to_string(picked.id())));
  for (diag::Reason& reason : result_.reasons) {
    Places& examples = examples_.emplace_back();
    for (const std::string& device : reason.examples)
      examples.push_back(places.at(device));
    Places& held = held_.emplace_back();
    for (const diag::Holder& holder : reason.holders) {
      const std::size_t place = places.at(holder.device);
      if (held.empty() || held.back() != place) held.push_back(place);
    }
    reason.holders.clear();
  }
}

NodeResult SolvedNode::of(const api::Node& node,
                          base::FunctionRef<Seen(std::size_t)> device_at) const {
  NodeResult result = result_;
  result.name = node.meta.name;
  for (std::size_t i = 0; i < picked_.size(); ++i)
    result.allocation[i].published = *device_at(picked_[i]).published;
  for (std::size_t i = 0; i < result.reasons.size(); ++i) {
    diag::Reason& reason = result.reasons[i];
    for (std::size_t j = 0; j < examples_[i].size(); ++j)
      reason.examples[j] = to_string(device_at(examples_[i][j]).published->id());
    for (const std::size_t place : held_[i])
      add_holders(reason, device_at(place));
  }
  return result;
}

}  // namespace dra::engine
