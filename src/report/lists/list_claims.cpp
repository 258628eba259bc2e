// src/report/lists/list_claims.cpp: what a claim asks for and got, and the columns of
// `kubectl dra claims`.

#include "dra/report/lists/list_claims.h"

#include <algorithm>
#include <set>

#include "dra/api/device_class.h"
#include "dra/api/words.h"
#include "dra/base/text.h"
#include "dra/engine/facts/node_match.h"
#include "dra/report/phrases/words.h"
#include "src/report/lists/column.h"

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

view::Cell claim_state_cell(const ClaimRow& row) {
  return cell(row.state, row.claim->allocated() ? view::Tone::Plain : view::Tone::Warn);
}

Columns<ClaimRow> claim_columns(const ListOptions& options) {
  return {
      namespace_column<ClaimRow>(options,
                                 [](const ClaimRow& row) { return row.claim->meta.namespace_; }),
      {.title = "NAME", .value = [](const ClaimRow& row) { return row.claim->meta.name; }},
      {.title = "STATE", .cell = claim_state_cell},
      {.title = "REQUESTS", .value = &ClaimRow::requests},
      {.title = "DEVICES", .value = &ClaimRow::devices},
      {.title = "NODE", .value = &ClaimRow::node},
      {.title = "USED-BY", .value = &ClaimRow::used_by},
      {.title = "AGE",
       .value = [now = options.now](
                    const ClaimRow& row) { return age_of(row.claim->meta.created, now); }},
      {.title = "CLASS", .wide = true, .value = &ClaimRow::classes},
      {.title = "SELECTORS", .wide = true, .value = &ClaimRow::selectors},
      {.title = "POOL", .wide = true, .value = &ClaimRow::pools},
      {.title = "DRIVER", .wide = true, .value = &ClaimRow::drivers},
  };
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

std::string claim_state_words(std::string_view state) {
  const std::vector<std::string_view> parts = base::split(state, ',');
  const std::vector<std::string> words(parts.begin(), parts.end());
  const std::string text = base::join(words, ", ");
  return text.starts_with("deleted") ? "being " + text : text;
}

ClaimRow claim_row(const snapshot::Snapshot& snapshot, const api::ResourceClaim& claim) {
  return claim_row(claim, class_is_missing(snapshot, claim));
}

ClaimRow claim_row(const api::ResourceClaim& claim, bool class_is_missing) {
  ClaimRow row{.claim = &claim};
  row.state = claim_state(claim);
  if (class_is_missing && !claim.allocated()) row.state += " (ClassMissing)";
  row.requests = describe_requests(claim.spec);
  row.devices = row.node = row.pools = row.drivers = kNone;
  row.used_by = or_none(consumers_of(claim, kMaxConsumers));
  add_spec(claim, row);
  add_allocation(claim, row);
  return row;
}

view::Document claims_view(const std::vector<ClaimRow>& rows, const ListOptions& options) {
  return list_view(claim_columns(options), rows);
}

}  // namespace dra::report
