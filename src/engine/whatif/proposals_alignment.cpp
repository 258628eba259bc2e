// src/engine/whatif/proposals_alignment.cpp: what might help where no value of an attribute has
// enough devices: an attribute of a larger part of the node, or parts of the requests that are each
// aligned. Both keep more of what a constraint is for than to drop it.

#include <algorithm>
#include <numeric>
#include <set>
#include <string>

#include "dra/api/limits.h"
#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "dra/engine/facts/device_attribute.h"
#include "dra/engine/scheduler/demands.h"
#include "src/engine/whatif/proposals.h"

namespace dra::engine {
namespace {

// How large a part of a node the devices with one value share, by the name of the attribute. 0: the
// name does not say.
int reach_of(std::string_view attribute) {
  const std::string id = base::lower(attribute.substr(attribute.rfind('/') + 1));
  const auto says = [&id](std::string_view word) { return id.find(word) != std::string::npos; };
  if (says("socket")) return 4;
  if (says("numa")) return 3;
  if (says("pci") && says("root")) return 2;
  if (says("pci") && says("switch")) return 1;
  return 0;
}

bool is_about(const api::Constraint& constraint, std::string_view request) {
  if (constraint.requests.empty()) return true;
  return std::ranges::any_of(constraint.requests, [request](std::string_view named) {
    return named == request || named == request.substr(0, request.find('/'));
  });
}

// Attributes with a reach that devices have which the demand selects, by their full names.
std::set<std::string> places_of(const Simulator& simulator, const Demands& demands,
                                const api::DeviceDemand& demand) {
  std::set<std::string> names;
  for (const InventoryDevice& device : simulator.inventory().devices()) {
    if (demands.outcome(demand, device.published) != Outcome::Chosen) continue;
    for (const auto& [name, value] : device.published.device->attributes) {
      if (reach_of(name) == 0) continue;
      names.insert(full_attribute_name(device.published.slice->spec.driver, name));
    }
  }
  return names;
}

// Attributes that every demand of the constraint finds, and that reach further; the nearest first.
std::vector<std::string> wider_than(const Simulator& simulator, const Demands& demands,
                                    const api::ClaimSpec& spec, const api::Constraint& constraint) {
  std::optional<std::set<std::string>> common;
  for (const api::DeviceRequest& request : spec.devices.requests) {
    for (const api::NamedDemand& demand : api::demands_of(request)) {
      if (!is_about(constraint, demand.name)) continue;
      const auto found = places_of(simulator, demands, *demand.demand);
      if (!common) common = found;
      std::erase_if(*common, [&found](const std::string& one) { return !found.contains(one); });
    }
  }
  std::vector<std::string> wider;
  for (const std::string& name : common.value_or(std::set<std::string>())) {
    if (reach_of(name) > reach_of(constraint.match_attribute)) wider.push_back(name);
  }
  std::ranges::stable_sort(wider, {}, reach_of);
  return wider;
}

// A container that names a request would not get the other parts of it.
bool is_named_by_container(const Subject& subject, const SubjectClaim& claim,
                           std::string_view request) {
  if (subject.pod == nullptr) return false;
  const auto names = [&](const api::Container& container) {
    return std::ranges::any_of(container.resources.claims, [&](const api::ContainerClaim& one) {
      return one.name == claim.pod_claim && one.request == request;
    });
  };
  return std::ranges::any_of(subject.pod->spec.containers, names) ||
         std::ranges::any_of(subject.pod->spec.init_containers, names);
}

// The requests of a constraint, and the greatest number that divides the counts of all. None where
// the parts of one of them cannot be requests.
struct Divisible {
  std::vector<std::string> requests;
  std::int64_t devices = 0;
  std::int64_t by = 0;
};

std::optional<Divisible> divisible(const Subject& subject, const SubjectClaim& claim,
                                   const api::Constraint& constraint) {
  Divisible found;
  for (const api::DeviceRequest& request : claim.unmet()->devices.requests) {
    const bool about = std::ranges::any_of(api::demands_of(request),
                                           [&constraint](const api::NamedDemand& demand) {
                                             return is_about(constraint, demand.name);
                                           });
    if (!about) continue;
    if (!request.exactly || request.exactly->demand.all() ||
        is_named_by_container(subject, claim, request.name))
      return std::nullopt;
    found.requests.emplace_back(request.name);
    found.devices += request.exactly->demand.wanted();
    found.by = std::gcd(found.by, request.exactly->demand.wanted());
  }
  return found.requests.empty() ? std::nullopt : std::optional(std::move(found));
}

constexpr std::int64_t kMaxUneven = 4;  // parts

// The devices of each part, the most even division first; an empty list stands for equal shares.
// Only a single request is divided unequally: which of several belong together in a part, nothing
// says. Two parts may be as unequal as the devices lie; of more, only the most even is tried.
std::vector<std::vector<std::int64_t>> shares_of(const Divisible& whole, std::int64_t parts) {
  std::vector<std::vector<std::int64_t>> shares;
  if (whole.by % parts == 0) shares.emplace_back();
  if (whole.requests.size() != 1 || whole.devices > api::kMaxResults) return shares;
  if (parts == 2) {
    for (std::int64_t most = whole.devices / 2 + 1; most < whole.devices; ++most)
      shares.push_back({most, whole.devices - most});
  } else if (whole.by % parts != 0 && parts <= kMaxUneven) {
    std::vector<std::int64_t> even(static_cast<std::size_t>(parts), whole.devices / parts);
    for (std::int64_t i = 0; i < whole.devices % parts; ++i)
      ++even[static_cast<std::size_t>(i)];
    shares.push_back(std::move(even));
  }
  return shares;
}

// Whether the claim still is one that the API server accepts.
bool is_allowed(const api::ClaimSpec& spec, const SplitRequests& split) {
  constexpr std::size_t most = 32;  // DeviceRequestsMaxSize, DeviceConstraintsMaxSize
  constexpr std::size_t longest = 63;
  const auto more = static_cast<std::size_t>(split.parts - 1);
  if (spec.devices.requests.size() + more * split.requests.size() > most ||
      spec.devices.constraints.size() + more > most)
    return false;
  for (std::int64_t part = 2; part <= split.parts; ++part) {
    for (const std::string& request : split.requests) {
      const std::string name = name_in_part(request, part);
      const bool taken = std::ranges::any_of(
          spec.devices.requests,
          [&name](const api::DeviceRequest& other) { return other.name == name; });
      if (taken || name.size() > longest) return false;
    }
  }
  return true;
}

template <class F>
void for_each_match(const Subject& subject, F on_constraint) {
  for (const SubjectClaim& claim : subject.claims) {
    if (claim.unmet() == nullptr || claim.extended != nullptr) continue;
    const auto& constraints = claim.unmet()->devices.constraints;
    for (std::size_t i = 0; i < constraints.size(); ++i) {
      if (!constraints[i].match_attribute.empty()) on_constraint(claim, i, constraints[i]);
    }
  }
}

}  // namespace

std::vector<std::vector<Proposal>> to_relax_constraints(const Simulator& simulator,
                                                        const Subject& subject) {
  std::vector<std::vector<Proposal>> proposals;
  std::optional<Demands> demands;
  for_each_match(subject, [&](const SubjectClaim& claim, std::size_t index,
                              const api::Constraint& constraint) {
    if (reach_of(constraint.match_attribute) == 0) return;
    if (!demands) demands.emplace(simulator.snapshot(), simulator.inventory(), subject);
    std::vector<Proposal> wider;
    for (std::string& name : wider_than(simulator, *demands, *claim.unmet(), constraint)) {
      wider.push_back({RelaxConstraint{.claim = claim.label(),
                                       .constraint = index,
                                       .attribute = std::string(constraint.match_attribute),
                                       .instead = std::move(name)}});
    }
    if (!wider.empty()) proposals.push_back(std::move(wider));
  });
  return proposals;
}

// A part of one device is aligned with nothing.
std::vector<std::vector<Proposal>> to_split_requests(const Subject& subject) {
  std::vector<std::vector<Proposal>> proposals;
  for_each_match(subject, [&](const SubjectClaim& claim, std::size_t index,
                              const api::Constraint& constraint) {
    const auto whole = divisible(subject, claim, constraint);
    if (!whole) return;
    std::vector<Proposal> parted;
    const std::int64_t most = std::min(whole->devices - 1, api::kMaxResults);
    for (std::int64_t parts = 2; parts <= most; ++parts) {
      for (std::vector<std::int64_t>& counts : shares_of(*whole, parts)) {
        SplitRequests split{.claim = claim.label(),
                            .constraint = index,
                            .attribute = std::string(constraint.match_attribute),
                            .requests = whole->requests,
                            .parts = parts,
                            .counts = std::move(counts)};
        if (is_allowed(*claim.unmet(), split)) parted.push_back({std::move(split)});
      }
    }
    if (!parted.empty()) proposals.push_back(std::move(parted));
  });
  return proposals;
}

}  // namespace dra::engine
