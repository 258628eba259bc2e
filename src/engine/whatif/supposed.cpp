// src/engine/whatif/supposed.cpp: see supposed.h.

#include "dra/engine/whatif/supposed.h"

#include <algorithm>

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

Supposed::Supposed(const snapshot::Snapshot& snapshot, const Wanted& wanted)
    : snapshot_(snapshot), subject_(resolve(snapshot, wanted)) {}

bool Supposed::apply(const Change& change) {
  return std::visit([this](const auto& one) { return make(one); }, change);
}

// The special claim is made of what the pod's containers ask for, and has no spec of its own.
api::ClaimSpec* Supposed::spec_of(std::string_view claim) {
  const auto found = std::ranges::find_if(
      subject_.claims, [claim](const SubjectClaim& one) { return one.label() == claim; });
  if (found == subject_.claims.end() || found->unmet() == nullptr || found->extended != nullptr)
    return nullptr;
  const auto own = std::ranges::find_if(
      specs_, [&found](const api::ClaimSpec& spec) { return &spec == found->spec; });
  if (own != specs_.end()) return &*own;
  found->spec = &specs_.emplace_back(*found->spec);
  return &specs_.back();
}

api::DeviceClass* Supposed::class_for(api::DeviceDemand& demand) {
  const auto own = std::ranges::find_if(own_classes_, [&demand](const api::DeviceClass& one) {
    return one.meta.name.data() == demand.device_class.data();
  });
  if (own != own_classes_.end()) return &*own;
  const auto* shared = snapshot_.find<api::DeviceClass>(demand.device_class);
  if (shared == nullptr) return nullptr;
  api::DeviceClass& copy = own_classes_.emplace_back(*shared);
  // A name that no class can have, and no other demand has.
  copy.meta.name = keep(base::format("{}#{}", demand.device_class, own_classes_.size()));
  demand.device_class = copy.meta.name;
  classes_.emplace(copy.meta.name, &copy);
  return &copy;
}

api::DeviceClass* Supposed::shared_class(std::string_view name) {
  const auto own = std::ranges::find(own_classes_, name,
                                     [](const api::DeviceClass& one) { return one.meta.name; });
  if (own != own_classes_.end()) return &*own;
  const auto* found = snapshot_.find<api::DeviceClass>(name);
  if (found == nullptr) return nullptr;
  api::DeviceClass& copy = own_classes_.emplace_back(*found);
  classes_.emplace(copy.meta.name, &copy);
  return &copy;
}

Otherwise& Supposed::change_inventory() {
  changes_inventory_ = true;
  return otherwise_;
}

void Supposed::deallocate(const std::vector<std::string>& claims) {
  for (SubjectClaim& claim : subject_.claims) {
    if (!claim.allocated() || std::ranges::find(claims, claim.label()) == claims.end()) continue;
    change_inventory().released.push_back(claim.claim);
    api::ResourceClaim& pending = pending_.emplace_back(*claim.claim);
    pending.status = {};
    claim.claim = &pending;
    claim.spec = &pending.spec;
    claim.state = ClaimState::Pending;
  }
}

void Supposed::empty_the_cluster() { change_inventory().held_by = own_claims(subject_); }

api::DeviceDemand* Supposed::demand(std::string_view claim, std::string_view request) {
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

// A class can be changed also where the claim that names it cannot.
std::string_view Supposed::class_asked(const SelectorPlace& place) const {
  std::string_view name;
  for_each_unmet(subject_, [&](const SubjectClaim& claim, const api::DeviceRequest& request) {
    for (const api::NamedDemand& demand : api::demands_of(request)) {
      if (claim.label() == place.claim && demand.name == place.request)
        name = demand.demand->device_class;
    }
  });
  return name;
}

std::vector<api::DeviceSelector>* Supposed::selectors(const SelectorPlace& place) {
  std::vector<api::DeviceSelector>* all = nullptr;
  if (place.of_class) {
    api::DeviceClass* own = shared_class(class_asked(place));
    if (own != nullptr) all = &own->spec.selectors;
  } else if (api::DeviceDemand* asked = demand(place.claim, place.request)) {
    all = &asked->selectors;
  }
  return all != nullptr && place.selector < all->size() ? all : nullptr;
}

bool Supposed::make(const SetCount& change) {
  api::DeviceDemand* asked = demand(change.claim, change.request);
  if (asked == nullptr) return false;
  asked->mode = api::kModeExactCount;
  asked->count = change.count;
  return true;
}

bool Supposed::make(const DropSelector& change) {
  auto* all = selectors(change.place);
  if (all == nullptr) return false;
  const auto which = all->begin() + static_cast<std::ptrdiff_t>(change.place.selector);
  if (change.span) {
    which->cel.emplace().expression = keep(change.left);
  } else {
    all->erase(which);
  }
  return true;
}

bool Supposed::make(const EditSelector& change) {
  auto* all = selectors(change.place);
  if (all == nullptr) return false;
  (*all)[change.place.selector].cel.emplace().expression = keep(change.expression);
  return true;
}

bool Supposed::tolerate_on_nodes(const api::Toleration& toleration) {
  if (subject_.pod == nullptr) return false;
  if (pod_ == nullptr) pod_ = std::make_unique<api::Pod>(*subject_.pod);
  pod_->spec.tolerations.push_back(toleration);
  subject_.pod = pod_.get();
  return true;
}

bool Supposed::make(const Tolerate& change) {
  const api::Toleration toleration{.key = keep(change.key),
                                   .op = "Exists",
                                   .value = {},
                                   .effect = keep(change.effect),
                                   .seconds = {}};
  if (change.claim.empty()) return tolerate_on_nodes(toleration);
  api::ClaimSpec* spec = spec_of(change.claim);
  if (spec == nullptr) return false;
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
  return any;
}

bool Supposed::make(const DropConstraint& change) {
  api::ClaimSpec* spec = spec_of(change.claim);
  if (spec == nullptr || change.constraint >= spec->devices.constraints.size()) return false;
  spec->devices.constraints.erase(spec->devices.constraints.begin() +
                                  static_cast<std::ptrdiff_t>(change.constraint));
  return true;
}

bool Supposed::make(const UseAlternative& change) {
  const auto [of, sub] = parts_of(change.request);
  api::ClaimSpec* spec = spec_of(change.claim);
  if (spec == nullptr || demand(change.claim, change.request) == nullptr || of.empty())
    return false;
  for (api::DeviceRequest& request : spec->devices.requests) {
    if (request.name != of) continue;
    std::erase_if(request.alternatives,
                  [sub = sub](const api::Alternative& one) { return one.name != sub; });
  }
  return true;
}

bool Supposed::make(const Release& change) {
  std::vector<const api::ResourceClaim*> claims;
  std::vector<const api::Pod*> pods;
  for (const std::string& name : change.claims)
    claims.push_back(find_by_full_name<api::ResourceClaim>(snapshot_, name));
  for (const std::string& name : change.pods)
    pods.push_back(find_by_full_name<api::Pod>(snapshot_, name));
  // Of a claim the pods may be others' secret.
  if (std::ranges::find(claims, nullptr) != claims.end()) return false;
  std::erase(pods, nullptr);
  auto& released = change_inventory().released;
  released.insert(released.end(), claims.begin(), claims.end());
  gone_.insert(gone_.end(), pods.begin(), pods.end());
  return true;
}

bool Supposed::make(const AddNode&) { return false; }

bool Supposed::make(const Wait& change) {
  const auto& names = snapshot_.pools().names();
  const auto found = std::ranges::find(names, api::PoolName{change.driver, change.pool});
  if (found == names.end()) return false;
  change_inventory().complete.push_back(*found);
  return true;
}

}  // namespace dra::engine
