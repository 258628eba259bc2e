// src/engine/whatif/hypothesis.cpp: the changes and their overrides. Those of nodes are in
// hypothesis_nodes.cpp, the state with all of them in hypothesis_state.cpp.

#include "dra/engine/whatif/hypothesis.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "dra/api/device_class.h"
#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "dra/engine/facts/full_name.h"

namespace dra::engine {
namespace {

// "req/sub" -> {"req", "sub"}; of what is no alternative the first is empty.
std::pair<std::string_view, std::string_view> parts_of(std::string_view request) {
  const std::size_t slash = request.find('/');
  if (slash == std::string_view::npos) return {{}, request};
  return {request.substr(0, slash), request.substr(slash + 1)};
}

// The names of the pod's claims, as far as they are known.
std::set<std::string_view> claim_names_of(const api::Pod& pod) {
  std::set<std::string_view> names;
  for (const api::PodClaim& claim : pod.spec.claims)
    names.insert(claim.claim_name);
  for (const api::PodClaimStatus& claim : pod.status.claims)
    names.insert(claim.claim_name.value_or(std::string_view()));
  if (pod.status.extended_resource_claim)
    names.insert(pod.status.extended_resource_claim->claim_name);
  names.erase(std::string_view());
  return names;
}

Error not_there(std::string what, std::string hint = {}) {
  return {.kind = ErrorKind::NotFound, .message = std::move(what), .hint = std::move(hint)};
}

Error nothing_to_change() {
  return not_there("what is to be changed is not there, or has its devices already");
}

}  // namespace

Subject resolve(const snapshot::Snapshot& snapshot, const Wanted& wanted) {
  if (wanted.pod.empty()) return subject_of_claims(snapshot, wanted.namespace_, wanted.claims);
  const api::Pod* pod = snapshot.find<api::Pod>(wanted.namespace_, wanted.pod);
  return pod == nullptr ? Subject() : subject_of_pod(snapshot, *pod);
}

HeldBy own_claims(const Subject& subject) {
  auto own = HeldBy::value_type();
  for (const SubjectClaim& claim : subject.claims) {
    if (claim.claim != nullptr) own.push_back(claim.claim);
  }
  return own;
}

Hypothesis::Hypothesis(const snapshot::Snapshot& snapshot, Wanted wanted)
    : wanted_(std::move(wanted)),
      base_(&snapshot),
      text_(std::make_shared<std::deque<std::string>>()),
      subject_(resolve(snapshot, wanted_)) {}

Result<Done> Hypothesis::apply(const Change& change) {
  return std::visit([this](const auto& one) { return make(one); }, change);
}

Result<Done> Hypothesis::apply(std::span<const Change> changes) {
  for (const Change& change : changes)
    DRA_TRY(apply(change));
  return Done{};
}

// The special claim follows from what the pod's containers ask for and has no spec of its own.
api::ClaimSpec* Hypothesis::spec_of(std::string_view claim) {
  if (by_label_.empty()) {
    for (SubjectClaim& one : subject_.claims)
      by_label_.try_emplace(one.label(), &one);
  }
  const auto named = by_label_.find(claim);
  if (named == by_label_.end()) return nullptr;
  SubjectClaim& found = *named->second;
  if (found.unmet() == nullptr || found.extended != nullptr) return nullptr;
  api::ClaimSpec& own = specs_[&found];
  if (found.spec != &own) own = *std::exchange(found.spec, &own);
  return &own;
}

api::DeviceClass* Hypothesis::class_for(api::DeviceDemand& demand) {
  const auto known = demand_classes_.find(demand.device_class);
  if (known != demand_classes_.end() && known->first.data() == demand.device_class.data())
    return known->second;
  const auto* shared = base().find<api::DeviceClass>(demand.device_class);
  if (shared == nullptr) return nullptr;
  api::DeviceClass& copy = own_classes_.emplace_back(*shared);
  // A name that no class can have, and no other demand has.
  copy.meta.name = keep(base::format("{}#{}", demand.device_class, own_classes_.size()));
  demand.device_class = copy.meta.name;
  demand_classes_.emplace(copy.meta.name, &copy);
  classes_.emplace(copy.meta.name, &copy);
  return &copy;
}

api::DeviceClass* Hypothesis::shared_class(std::string_view name) {
  const auto own = std::ranges::find(own_classes_, name,
                                     [](const api::DeviceClass& one) { return one.meta.name; });
  if (own != own_classes_.end()) return &*own;
  const auto* found = base().find<api::DeviceClass>(name);
  if (found == nullptr) return nullptr;
  api::DeviceClass& copy = own_classes_.emplace_back(*found);
  classes_.emplace(copy.meta.name, &copy);
  return &copy;
}

Overrides& Hypothesis::change_inventory() {
  changes_inventory_ = true;
  return overrides_;
}

void Hypothesis::deallocate(const std::vector<std::string>& claims) {
  for (SubjectClaim& claim : subject_.claims) {
    if (!claim.allocated() || std::ranges::find(claims, claim.label()) == claims.end()) continue;
    hold_nothing(*claim.claim);
    api::ResourceClaim& pending =
        changed_claims_.try_emplace(claim.claim, *claim.claim).first->second;
    pending.status = {};
    claim.claim = &pending;
    claim.spec = &pending.spec;
    claim.state = ClaimState::Pending;
  }
}

void Hypothesis::empty_the_cluster() { change_inventory().held_by = own_claims(subject_); }

void Hypothesis::ignore_taints() { change_inventory().untainted = true; }

void Hypothesis::complete_pools() { change_inventory().all_complete = true; }

api::DeviceDemand* Hypothesis::demand(std::string_view claim, std::string_view request) {
  api::ClaimSpec* spec = spec_of(claim);
  if (spec == nullptr) return nullptr;
  const auto [of, sub] = parts_of(request);
  for (api::DeviceRequest& one : spec->devices.requests) {
    if (of.empty() && one.name == sub && one.exactly) return &one.exactly->demand;
    if (of.empty() || one.name != of) continue;
    for (api::Alternative& alternative : one.alternatives) {
      if (alternative.name == sub) return &alternative.demand;
    }
  }
  return nullptr;
}

// The class of the special claim can be changed, though the claim cannot.
std::string_view Hypothesis::class_asked(const SelectorPlace& place) const {
  std::string_view name;
  for_each_unmet(subject_, [&](const SubjectClaim& claim, const api::DeviceRequest& request) {
    for (const api::NamedDemand& demand : api::demands_of(request)) {
      if (claim.label() == place.claim && demand.name == place.request)
        name = demand.demand->device_class;
    }
  });
  return name;
}

std::vector<api::DeviceSelector>* Hypothesis::selectors(const SelectorPlace& place) {
  std::vector<api::DeviceSelector>* all = nullptr;
  if (place.of_class) {
    api::DeviceClass* own = shared_class(class_asked(place));
    if (own != nullptr) all = &own->spec.selectors;
  } else if (api::DeviceDemand* asked = demand(place.claim, place.request)) {
    all = &asked->selectors;
  }
  return all != nullptr && place.selector < all->size() ? all : nullptr;
}

Result<Done> Hypothesis::make(const SetCount& change) {
  api::DeviceDemand* asked = demand(change.claim, change.request);
  if (asked == nullptr) return nothing_to_change();
  asked->mode = api::kModeExactCount;
  asked->count = change.count;
  return Done{};
}

Result<Done> Hypothesis::make(const DropSelector& change) {
  auto* all = selectors(change.place);
  if (all == nullptr) return nothing_to_change();
  const auto which = all->begin() + static_cast<std::ptrdiff_t>(change.place.selector);
  if (change.span) {
    which->cel.emplace().expression = keep(change.left);
  } else {
    all->erase(which);
  }
  return Done{};
}

Result<Done> Hypothesis::make(const EditSelector& change) {
  auto* all = selectors(change.place);
  if (all == nullptr) return nothing_to_change();
  (*all)[change.place.selector].cel.emplace().expression = keep(change.expression);
  return Done{};
}

api::Pod* Hypothesis::own_pod() {
  if (subject_.pod == nullptr) return nullptr;
  if (pod_ == nullptr) pod_ = std::make_unique<api::Pod>(*subject_.pod);
  subject_.pod = pod_.get();
  return pod_.get();
}

Result<Done> Hypothesis::tolerate_on_nodes(const api::Toleration& toleration) {
  api::Pod* pod = own_pod();
  if (pod == nullptr) return nothing_to_change();
  pod->spec.tolerations.push_back(toleration);
  return Done{};
}

Result<Done> Hypothesis::make(const Tolerate& change) {
  const api::Toleration toleration{.key = keep(change.key),
                                   .op = "Exists",
                                   .value = {},
                                   .effect = keep(change.effect),
                                   .seconds = {}};
  if (change.claim.empty()) return tolerate_on_nodes(toleration);
  api::ClaimSpec* spec = spec_of(change.claim);
  if (spec == nullptr) return nothing_to_change();
  bool any = false;
  const auto add = [&](const std::string& name, api::DeviceDemand& to) {
    if (!change.request.empty() && change.request != name) return;
    to.tolerations.push_back(toleration);
    any = true;
  };
  for (api::DeviceRequest& request : spec->devices.requests) {
    const std::string name(request.name);
    if (request.exactly) add(name, request.exactly->demand);
    for (api::Alternative& alternative : request.alternatives)
      add(base::format("{}/{}", name, alternative.name), alternative.demand);
  }
  if (!any) return nothing_to_change();
  return Done{};
}

Result<Done> Hypothesis::make(const DropConstraint& change) {
  api::ClaimSpec* spec = spec_of(change.claim);
  if (spec == nullptr || change.constraint >= spec->devices.constraints.size())
    return nothing_to_change();
  spec->devices.constraints.erase(spec->devices.constraints.begin() +
                                  static_cast<std::ptrdiff_t>(change.constraint));
  return Done{};
}

Result<Done> Hypothesis::make(const RelaxConstraint& change) {
  api::ClaimSpec* spec = spec_of(change.claim);
  if (spec == nullptr || change.constraint >= spec->devices.constraints.size() ||
      spec->devices.constraints[change.constraint].match_attribute.empty())
    return nothing_to_change();
  spec->devices.constraints[change.constraint].match_attribute = keep(change.instead);
  return Done{};
}

// Whether the parts of a request have all its devices.
bool adds_up(const SplitRequests& change, std::int64_t wanted) {
  if (change.counts.empty()) return wanted % change.parts == 0;
  return change.requests.size() == 1 && std::ssize(change.counts) == change.parts &&
         std::accumulate(change.counts.begin(), change.counts.end(), std::int64_t{0}) == wanted;
}

// What else is about one of the requests is about all its parts.
void Hypothesis::add_part(const SplitRequests& change, std::int64_t part,
                          api::ClaimDevices& devices) {
  api::Constraint constraint = devices.constraints[change.constraint];
  constraint.requests.clear();
  for (const std::string& name : change.requests) {
    const std::string_view own = keep(name_in_part(name, part));
    api::DeviceRequest request =
        *std::ranges::find(devices.requests, name, &api::DeviceRequest::name);
    request.name = own;
    request.exactly->demand.count = count_in_part(change, request.exactly->demand.wanted(), part);
    devices.requests.push_back(std::move(request));
    constraint.requests.push_back(own);
    const auto add_to = [&name, own](std::vector<std::string_view>& requests) {
      if (std::ranges::find(requests, name) != requests.end()) requests.push_back(own);
    };
    for (std::size_t i = 0; i < devices.constraints.size(); ++i) {
      if (i != change.constraint) add_to(devices.constraints[i].requests);
    }
    for (api::ClaimConfig& config : devices.config)
      add_to(config.requests);
  }
  devices.constraints.push_back(std::move(constraint));
}

Result<Done> Hypothesis::make(const SplitRequests& change) {
  api::ClaimSpec* spec = spec_of(change.claim);
  if (spec == nullptr || change.constraint >= spec->devices.constraints.size() || change.parts < 2)
    return nothing_to_change();
  api::ClaimDevices& devices = spec->devices;
  std::vector<std::string_view> own;
  for (const std::string& name : change.requests) {
    const auto found = std::ranges::find(devices.requests, name, &api::DeviceRequest::name);
    if (found == devices.requests.end() || !found->exactly ||
        !adds_up(change, found->exactly->demand.wanted()))
      return nothing_to_change();
    own.push_back(found->name);
  }
  devices.constraints[change.constraint].requests = std::move(own);
  for (std::int64_t part = 2; part <= change.parts; ++part)
    add_part(change, part, devices);
  for (const std::string& name : change.requests) {
    api::DeviceDemand& whole =
        std::ranges::find(devices.requests, name, &api::DeviceRequest::name)->exactly->demand;
    whole.count = count_in_part(change, whole.wanted(), 1);
  }
  return Done{};
}

// An affinity whose only condition goes is none. A term without conditions would match no node.
Result<Done> Hypothesis::make(const SelectNodes& change) {
  api::Pod* pod = own_pod();
  if (pod == nullptr) return nothing_to_change();
  if (!change.expression) {
    auto& labels = pod->spec.node_selector;
    const auto entry = std::ranges::find(labels, change.key, &api::Entry<std::string_view>::key);
    if (entry == labels.end()) return nothing_to_change();
    if (change.value) {
      entry->value = keep(*change.value);
    } else {
      labels.erase(entry);
    }
    return Done{};
  }
  auto& required = pod->spec.affinity.to_nodes.required;
  if (!required || required->terms.size() != 1 ||
      *change.expression >= required->terms.front().expressions.size())
    return nothing_to_change();
  api::NodeSelectorTerm& term = required->terms.front();
  const auto which = term.expressions.begin() + static_cast<std::ptrdiff_t>(*change.expression);
  if (change.value) {
    which->values.push_back(keep(*change.value));
  } else if (term.expressions.size() + term.fields.size() == 1) {
    required.reset();
  } else {
    term.expressions.erase(which);
  }
  return Done{};
}

Result<Done> Hypothesis::make(const UseAlternative& change) {
  const auto [of, sub] = parts_of(change.request);
  api::ClaimSpec* spec = spec_of(change.claim);
  if (spec == nullptr || demand(change.claim, change.request) == nullptr || of.empty())
    return nothing_to_change();
  for (api::DeviceRequest& request : spec->devices.requests) {
    if (request.name != of) continue;
    std::erase_if(request.alternatives,
                  [sub = sub](const api::Alternative& one) { return one.name != sub; });
  }
  return Done{};
}

// A claim that only gone pods have reserved is not allocated any more. What is taken from the
// subject itself changes how it is resolved.
Result<Done> Hypothesis::make(const Release& change) {
  const auto is_new = [](const auto& known, const auto* one) {
    return one != nullptr && std::ranges::find(known, one) == known.end();
  };
  for (const std::string& name : change.claims) {
    const auto* claim = find_by_full_name<api::ResourceClaim>(base(), name);
    if (!is_new(deleted_claims_, claim))
      return not_there(base::format("claim {} not found", name), "see `kubectl dra claims -A`");
    deleted_claims_.push_back(claim);
    hold_nothing(*claim);
  }
  for (const std::string& name : change.pods) {
    const auto* pod = find_by_full_name<api::Pod>(base(), name);
    if (!is_new(gone_, pod))
      return not_there(base::format("pod {} not found", name), "see `kubectl dra pods -A`");
    gone_.push_back(pod);
    unreserve(*pod);
  }
  if (takes_from_subject()) rebase(draft());
  return Done{};
}

void Hypothesis::unreserve(const api::Pod& pod) {
  for (const std::string_view name : claim_names_of(pod)) {
    const auto* claim = base().find<api::ResourceClaim>(pod.meta.namespace_, name);
    if (claim == nullptr) continue;
    api::ResourceClaim& changed = changed_claims_.try_emplace(claim, *claim).first->second;
    std::erase_if(changed.status.reserved_for, [&pod](const api::Consumer& consumer) {
      return consumer.is_pod() && consumer.uid == pod.meta.uid;
    });
    if (!changed.status.reserved_for.empty()) continue;
    changed.status.allocation.reset();
    changed.status.devices.clear();
    hold_nothing(*claim);
  }
}

void Hypothesis::hold_nothing(const api::ResourceClaim& claim) {
  if (claim.allocated()) change_inventory().released.push_back(&claim);
}

bool Hypothesis::takes_from_subject() const {
  const auto is_taken = [this](const SubjectClaim& one) {
    return std::ranges::find(overrides_.released, one.claim) != overrides_.released.end() ||
           std::ranges::find(deleted_claims_, one.claim) != deleted_claims_.end();
  };
  const auto is_subject = [this](const api::Pod* pod) {
    return subject_.pod != nullptr && pod->meta.namespace_ == wanted_.namespace_ &&
           pod->meta.name == wanted_.pod;
  };
  return std::ranges::any_of(gone_, is_subject) || std::ranges::any_of(subject_.claims, is_taken);
}

Result<Done> Hypothesis::make(const Wait& change) {
  const auto& names = base().pools().names();
  const auto found = std::ranges::find(names, api::PoolName{change.driver, change.pool});
  if (found == names.end())
    return not_there(base::format("pool {} of driver {} not found", change.pool, change.driver),
                     "see `kubectl dra pools`");
  change_inventory().complete.push_back(*found);
  return Done{};
}

}  // namespace dra::engine
