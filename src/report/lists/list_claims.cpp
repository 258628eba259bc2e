// src/report/lists/list_claims.cpp: see list_claims.h.

#include "dra/report/lists/list_claims.h"

#include <algorithm>
#include <set>

#include "dra/base/text.h"
#include "dra/engine/facts/node_match.h"
#include "dra/report/phrases/words.h"

namespace dra::report {
namespace {

constexpr std::size_t kMaxConsumers = 3;

// Each name once, in the order of first use.
void add_once(std::vector<std::string>& names, std::string_view name) {
  if (!name.empty() && std::ranges::find(names, name) == names.end()) names.emplace_back(name);
}

void add_spec(const api::ResourceClaim& claim, ClaimRow& row) {
  std::vector<std::string> classes;
  std::vector<std::string> selectors;
  for (const api::DeviceRequest& request : claim.spec.devices.requests) {
    for (const api::NamedDemand& demand : api::demands_of(request)) {
      add_once(classes, demand.demand->device_class);
      for (const api::DeviceSelector& selector : demand.demand->selectors) {
        add_once(selectors, selector.expression());
      }
    }
  }
  row.classes = or_none(base::join(classes, ","));
  row.selectors = or_none(base::join(selectors, "; "));
}

void add_allocation(const api::ResourceClaim& claim, ClaimRow& row) {
  if (!claim.status.allocation) return;
  const api::Allocation& allocation = *claim.status.allocation;
  std::vector<std::string_view> devices;
  std::vector<std::string> pools;
  std::vector<std::string> drivers;
  for (const api::AllocationResultItem& result : allocation.devices.results) {
    if (std::ranges::find(devices, result.device) == devices.end())
      devices.push_back(result.device);
    add_once(pools, result.pool);
    add_once(drivers, result.driver);
  }
  row.devices = or_none(fold_names(devices));
  row.pools = or_none(base::join(pools, ","));
  row.drivers = or_none(base::join(drivers, ","));
  row.node = allocation.node_selector ? engine::describe(*allocation.node_selector) : "<all>";
}

bool class_is_missing(const snapshot::Snapshot& snapshot, const api::ResourceClaim& claim) {
  if (claim.allocated() || !snapshot.coverage().saw(api::Kind::Class)) return false;
  const auto& requests = claim.spec.devices.requests;
  return std::ranges::any_of(requests, [&snapshot](const api::DeviceRequest& request) {
    return std::ranges::any_of(
        api::demands_of(request), [&snapshot](const api::NamedDemand& demand) {
          return snapshot.find<api::DeviceClass>(demand.demand->device_class) == nullptr;
        });
  });
}

}  // namespace

std::string claim_state(const api::ResourceClaim& claim) {
  std::vector<std::string> words;
  if (claim.meta.deleted) words.emplace_back("deleted");
  if (!claim.status.allocation) {
    if (!claim.meta.deleted) words.emplace_back("pending");
  } else {
    words.emplace_back("allocated");
    if (!claim.status.reserved_for.empty()) words.emplace_back("reserved");
  }
  return base::join(words, ",");
}

ClaimRow claim_row(const snapshot::Snapshot& snapshot, const api::ResourceClaim& claim) {
  ClaimRow row{.claim = &claim};
  row.state = claim_state(claim);
  if (class_is_missing(snapshot, claim)) row.state += " (ClassMissing)";
  row.requests = describe_requests(claim.spec);
  row.devices = row.node = row.pools = row.drivers = kNone;
  row.used_by = or_none(consumers_of(claim, kMaxConsumers));
  add_spec(claim, row);
  add_allocation(claim, row);
  return row;
}

view::Document claims_view(const std::vector<ClaimRow>& rows, const ListOptions& options) {
  view::Table table =
      object_table(options, {"NAME", "STATE", "REQUESTS", "DEVICES", "NODE", "USED-BY", "AGE"},
                   {"CLASS", "SELECTORS", "POOL", "DRIVER"});
  for (const ClaimRow& row : rows) {
    const api::ObjectMeta& meta = row.claim->meta;
    const view::Tone tone = row.claim->allocated() ? view::Tone::Plain : view::Tone::Warn;
    add_object(table, options, meta.namespace_,
               {cell(meta.name), cell(row.state, tone), cell(row.requests), cell(row.devices),
                cell(row.node), cell(row.used_by), cell(age_of(meta.created, options.now)),
                cell(row.classes), cell(row.selectors), cell(row.pools), cell(row.drivers)});
  }
  view::Document document;
  document.add(std::move(table));
  return document;
}

}  // namespace dra::report
