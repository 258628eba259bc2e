// src/engine/whatif/demand_parts.cpp: the parts of a demand, and a run with some of them. See
// conflicts.h.

#include <algorithm>
#include <set>
#include <tuple>

#include "dra/api/device_class.h"
#include "dra/base/text.h"
#include "dra/engine/selectors/selection.h"
#include "dra/engine/whatif/conflicts.h"

namespace dra::engine {
namespace {

using PartKind = DemandPart::Kind;

std::size_t class_selectors(const snapshot::Snapshot& snapshot, const api::DeviceDemand& demand) {
  const auto* device_class = snapshot.find<api::DeviceClass>(demand.device_class);
  return device_class == nullptr ? 0 : device_class->spec.selectors.size();
}

void add_claim(const snapshot::Snapshot& snapshot, const SubjectClaim& claim,
               std::vector<DemandPart>& requests, std::vector<DemandPart>& others) {
  const std::string label = claim.label();
  const api::ClaimDevices& devices = claim.unmet()->devices;
  for (const api::DeviceRequest& request : devices.requests) {
    requests.push_back(
        {.kind = PartKind::Request, .claim = label, .request = std::string(request.name)});
    for (const api::NamedDemand& demand : api::demands_of(request)) {
      const auto add = [&](bool of_class, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
          others.push_back({PartKind::Selector, label, demand.name, of_class, i});
      };
      add(true, class_selectors(snapshot, *demand.demand));
      add(false, demand.demand->selectors.size());
    }
  }
  for (std::size_t i = 0; i < devices.constraints.size(); ++i)
    others.push_back({.kind = PartKind::Constraint, .claim = label, .index = i});
}

// The parts that a run keeps. A subject can have ten thousands of them.
class KeptParts {
 public:
  explicit KeptParts(std::span<const DemandPart> parts) {
    for (const DemandPart& part : parts)
      keys_.insert(key_of(part));
  }

  bool contains(const DemandPart& part) const { return keys_.contains(key_of(part)); }

 private:
  using Key = std::tuple<std::string_view, std::string_view, std::size_t, bool, PartKind>;

  static Key key_of(const DemandPart& part) {
    return {part.claim, part.request, part.index, part.of_class, part.kind};
  }

  std::set<Key> keys_;
};

bool keeps_all(std::size_t selectors, DemandPart place, const KeptParts& kept) {
  for (place.index = 0; place.index < selectors; ++place.index) {
    if (!kept.contains(place)) return false;
  }
  return true;
}

void keep_selectors(std::vector<api::DeviceSelector>& selectors, DemandPart place,
                    const KeptParts& kept) {
  std::vector<api::DeviceSelector> left;
  for (place.index = 0; place.index < selectors.size(); ++place.index) {
    if (kept.contains(place)) left.push_back(selectors[place.index]);
  }
  selectors = std::move(left);
}

void keep_demand(Hypothesis& hypothesis, api::DeviceDemand& demand, DemandPart place,
                 const KeptParts& kept) {
  keep_selectors(demand.selectors, place, kept);
  place.of_class = true;
  if (keeps_all(class_selectors(hypothesis.base(), demand), place, kept)) return;
  if (api::DeviceClass* own = hypothesis.class_for(demand))
    keep_selectors(own->spec.selectors, place, kept);
}

void keep_claim(Hypothesis& hypothesis, const std::string& label, const KeptParts& kept) {
  api::ClaimSpec* spec = hypothesis.spec_of(label);
  if (spec == nullptr) return;
  std::erase_if(spec->devices.requests, [&](const api::DeviceRequest& request) {
    return !kept.contains({.claim = label, .request = std::string(request.name)});
  });
  for (api::DeviceRequest& request : spec->devices.requests) {
    DemandPart place{
        .kind = PartKind::Selector, .claim = label, .request = std::string(request.name)};
    if (request.exactly) keep_demand(hypothesis, request.exactly->demand, place, kept);
    for (api::Alternative& alternative : request.alternatives) {
      place.request = base::format("{}/{}", request.name, alternative.name);
      keep_demand(hypothesis, alternative.demand, place, kept);
    }
  }
  std::vector<api::Constraint> left;
  for (std::size_t i = 0; i < spec->devices.constraints.size(); ++i) {
    if (kept.contains({.kind = PartKind::Constraint, .claim = label, .index = i}))
      left.push_back(spec->devices.constraints[i]);
  }
  spec->devices.constraints = std::move(left);
}

}  // namespace

std::string_view name_of(PartKind kind) {
  switch (kind) {
    case PartKind::Request:
      return "request";
    case PartKind::Selector:
      return "selector";
    case PartKind::Constraint:
      return "constraint";
    case PartKind::Occupancy:
      return "occupancy";
    case PartKind::Taint:
      return "taint";
    case PartKind::Pool:
      return "pool";
    case PartKind::Filter:
      return "filter";
  }
  return "";
}

std::vector<DemandPart> parts_of(const Simulator& simulator, const Wanted& wanted) {
  const Subject subject = resolve(simulator.snapshot(), wanted);
  std::vector<DemandPart> parts;
  std::vector<DemandPart> others;
  for (const SubjectClaim& claim : subject.claims) {
    if (claim.unmet() != nullptr) add_claim(simulator.snapshot(), claim, parts, others);
  }
  std::ranges::move(others, std::back_inserter(parts));
  for (const PartKind kind :
       {PartKind::Occupancy, PartKind::Taint, PartKind::Pool, PartKind::Filter})
    parts.push_back({.kind = kind});
  return parts;
}

Simulation simulate_with(const Simulator& simulator, const Wanted& wanted,
                         std::span<const DemandPart> kept) {
  Hypothesis hypothesis(simulator.snapshot(), wanted);
  const auto holds = [&kept](PartKind kind) {
    return std::ranges::find(kept, kind, &DemandPart::kind) != kept.end();
  };
  const KeptParts parts(kept);
  for (const SubjectClaim& claim : hypothesis.subject().claims) {
    if (claim.unmet() != nullptr) keep_claim(hypothesis, claim.label(), parts);
  }
  if (!holds(PartKind::Occupancy)) hypothesis.empty_the_cluster();
  if (!holds(PartKind::Taint)) hypothesis.ignore_taints();
  if (!holds(PartKind::Pool)) hypothesis.complete_pools();
  return simulator.run(hypothesis,
                       holds(PartKind::Filter) ? OtherFilters::Count : OtherFilters::Ignored);
}

}  // namespace dra::engine
