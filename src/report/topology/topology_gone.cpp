// src/report/topology/topology_gone.cpp: devices that claims hold although they are no longer
// published. They have no place in the drawing, and are listed below it.

#include <algorithm>
#include <map>
#include <tuple>

#include "dra/api/words.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/allocated_device.h"
#include "dra/report/phrases/device_words.h"
#include "dra/report/phrases/reason_json.h"
#include "dra/report/phrases/words.h"
#include "src/report/topology/topology_parts.h"

namespace dra::report {
namespace {

using view::Tone;

bool is_holding_chosen(const engine::Holding& holding, const Scene& scene,
                       const TopologyChoice& choice) {
  if (!choice.claims.empty()) return choice.claims.contains(holding.claim);
  // A pool that is no longer published has most likely the name of its node.
  const engine::Pool* pool = scene.inventory.find_pool(holding.id.driver, holding.id.pool);
  if (pool == nullptr) return choice.nodes.contains(holding.id.pool);
  return choice.pools.contains(pool) ||
         std::ranges::any_of(pool->slices, [&](const api::ResourceSlice* slice) {
           return choice.nodes.contains(slice->spec.node_name);
         });
}

}  // namespace

std::vector<GoneDevices> gone_devices(const Scene& scene,
                                      const std::optional<TopologyChoice>& choice) {
  std::vector<GoneDevices> gone;
  std::map<std::tuple<const api::ResourceClaim*, std::string_view, std::string_view>, std::size_t>
      known;
  for (const engine::Holding& holding : scene.inventory.usage().all()) {
    const engine::DeviceId& id = holding.id;
    if (choice && !is_holding_chosen(holding, scene, *choice)) continue;
    if (!engine::is_gone(scene.inventory, id)) continue;
    const auto [at, is_new] = known.try_emplace({holding.claim, id.driver, id.pool}, gone.size());
    if (is_new) gone.push_back({holding.claim, {}});
    std::vector<engine::DeviceId>& devices = gone[at->second].devices;
    // Shares of one device are adjacent.
    if (devices.empty() || devices.back() != id) devices.push_back(id);
  }
  return gone;
}

json::Value gone_json(const std::vector<GoneDevices>& gone) {
  json::Value list = json::Value::array();
  for (const GoneDevices& one : gone) {
    json::Value& value = list.push(json::Value::object());
    value.set("claim", base::format("{}/{}", one.claim->meta.namespace_, one.claim->meta.name));
    const std::vector<std::string> pods = engine::pods_of(*one.claim);
    if (!pods.empty()) value.set("pods", strings_json(pods));
    json::Value& devices = value.set("devices", json::Value::array());
    for (const engine::DeviceId& id : one.devices)
      devices.push(engine::to_string(id));
  }
  return list;
}

void add_gone(const std::vector<GoneDevices>& gone, const TopologyView& options,
              view::Document& document) {
  if (gone.empty()) return;
  std::size_t devices = 0;
  for (const GoneDevices& one : gone)
    devices += one.devices.size();
  document.add(view::Paragraph{
      .spans = {span("missing", Tone::Bad),
                span(base::format("   {} held by claims, and not published",
                                  base::plural(static_cast<std::int64_t>(devices), "device")))}});
  const std::size_t most = options.wide ? gone.size() : std::min(gone.size(), kMostRows);
  for (std::size_t i = 0; i < most; ++i) {
    const api::ResourceClaim& claim = *gone[i].claim;
    const engine::DeviceId& first = gone[i].devices.front();
    std::vector<std::string_view> names;
    for (const engine::DeviceId& id : gone[i].devices)
      names.push_back(id.device);
    document.add(view::Paragraph{
        .spans = {span("! ", Tone::Bad),
                  span(base::format(
                      "{} {} of {}/{}: claim {}/{}, {}", names.size() == 1 ? "device" : "devices",
                      fold_names(names), first.driver, first.pool, claim.meta.namespace_,
                      claim.meta.name,
                      claim.status.reserved_for.empty() ? std::string("not reserved for any pod")
                                                        : consumers_of(claim, 2)))},
        .indent = 2});
  }
  if (most < gone.size())
    document.add(view::Paragraph{
        .spans = {span(base::format("and {} more: -o wide", gone.size() - most), Tone::Dim)},
        .indent = 2});
  document.add(view::Blank{});
}

}  // namespace dra::report
