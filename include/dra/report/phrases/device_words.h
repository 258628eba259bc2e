// include/dra/report/phrases/device_words.h
//
// Common wording about one device: where it can be used, its holders, its taints.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dra/engine/cluster/inventory.h"
#include "dra/engine/selectors/device_counts.h"
#include "dra/report/phrases/scene.h"

namespace dra::report {

// A node's name, a selector, "<all>".
std::string where_of(const engine::InventoryDevice& device);

// The claims that hold a device: namespace/name, followed by " (admin)" for admin access.
std::vector<std::string> claims_of(engine::Holders holders);
inline std::vector<std::string> claims_of(const engine::InventoryDevice& device) {
  return claims_of(device.holders);
}
// The pods that have reserved these claims, each once.
std::vector<std::string> users_of(engine::Holders holders);
inline std::vector<std::string> users_of(const engine::InventoryDevice& device) {
  return users_of(device.holders);
}

// A node's name, with its problem if it has one: "n1", "n1 (NotReady)".
std::string node_text(const Scene& scene, std::string_view name);
// The nodes of a slice, or of one of its devices: node_text(), "all nodes", or a selector.
std::string nodes_text(const Scene& scene, const api::NodeSelector& selector);
std::string nodes_text(const Scene& scene, const api::ResourceSlice& slice);
std::string nodes_text(const Scene& scene, const engine::InventoryDevice& device);

// "2 free, 4 blocked, 1 shared with room for more"; "0 free".
std::string free_text(const engine::FreeDevices& devices);

// All taints of a device, including those with the effect None.
std::vector<engine::DeviceTaintOf> all_taints_of(const Scene& scene,
                                                 const engine::InventoryDevice& device);
// The same as texts: "key=value:NoSchedule".
std::vector<std::string> taint_texts(const Scene& scene, const engine::InventoryDevice& device);
std::string taint_origin(const engine::DeviceTaintOf& taint);  // "driver", "rule NAME"
// The effect on pods, in a few words.
std::string taint_effect(const Scene& scene, const api::DeviceTaint& taint);

}  // namespace dra::report
