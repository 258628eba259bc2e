// include/dra/report/describe/describe.h
//
// `kubectl dra describe`: one object on one screen, with commands that lead to related objects:
// claim, pods, devices, slice, node. Problems of the object come first.
//
// A description says which kinds could not be read; it never treats them as absent.

#pragma once

#include <vector>

#include "dra/json/value.h"
#include "dra/report/phrases/scene.h"
#include "dra/view/document.h"

namespace dra::report {

// One description in two forms, made of the same facts. The report has no limits: what the document
// folds or leaves out for the sake of a screen is in it.
struct Described {
  view::Document document;
  json::Value report;  // of a kind of its own for each kind of object: "ClaimDescription"
};

Described describe_claim(const Scene& scene, const api::ResourceClaim& claim);
Described describe_template(const Scene& scene, const api::ResourceClaimTemplate& from);
Described describe_class(const Scene& scene, const api::DeviceClass& device_class);
Described describe_taint_rule(const Scene& scene, const api::DeviceTaintRule& rule);
Described describe_slice(const Scene& scene, const api::ResourceSlice& slice);
Described describe_pool(const Scene& scene, const engine::Pool& pool);
Described describe_device(const Scene& scene, const engine::InventoryDevice& device);
Described describe_node(const Scene& scene, const api::Node& node);
Described describe_pod(const Scene& scene, const api::Pod& pod);

// A DescriptionList of the reports.
json::Value descriptions_json(const Scene& scene, std::vector<json::Value> reports);

}  // namespace dra::report
