// include/dra/report/describe/describe.h
//
// `kubectl dra describe`: one object on one screen, with commands that lead to related objects:
// claim, pods, devices, slice, node. Problems of the object come first.
//
// A description says which kinds could not be read; it never treats them as absent.

#pragma once

#include "dra/report/phrases/scene.h"
#include "dra/view/document.h"

namespace dra::report {

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
