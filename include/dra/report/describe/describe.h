// include/dra/report/describe/describe.h
//
// `kubectl dra describe`: one object on one screen, by what people ask about its kind, with links
// both ways: claim, pods, devices, slice, node. What is odd about it stands first.
//
// What could not be read is said, never taken for absent.

#pragma once

#include <string>

#include "dra/base/time.h"
#include "dra/engine/cluster/inventory.h"
#include "dra/engine/selectors/selection.h"
#include "dra/snapshot/snapshot.h"
#include "dra/view/document.h"

namespace dra::report {

// What every description is made from.
struct Scene {
  const snapshot::Snapshot& snapshot;
  const engine::Inventory& inventory;  // of that snapshot
  base::Instant now = {};              // the clock of ages
  bool show_events = true;             // of the snapshot's, those about the object
  // " --demo": what every further command needs to ask about the same state, quoted for a shell.
  std::string flags = {};
  // What selectors say of the inventory; without them what they match is not said.
  engine::Answers* answers = nullptr;
};

view::Document describe_claim(const Scene& scene, const api::ResourceClaim& claim);
view::Document describe_template(const Scene& scene, const api::ResourceClaimTemplate& from);
view::Document describe_class(const Scene& scene, const api::DeviceClass& device_class);
view::Document describe_taint_rule(const Scene& scene, const api::DeviceTaintRule& rule);
view::Document describe_slice(const Scene& scene, const api::ResourceSlice& slice);
view::Document describe_pool(const Scene& scene, const engine::Pool& pool);
view::Document describe_device(const Scene& scene, const engine::InventoryDevice& device);
view::Document describe_node(const Scene& scene, const api::Node& node);
view::Document describe_pod(const Scene& scene, const api::Pod& pod);

}  // namespace dra::report
