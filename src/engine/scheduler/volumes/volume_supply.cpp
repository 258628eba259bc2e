// src/engine/scheduler/volumes/volume_supply.cpp: the smallest claim chooses first, and takes the
// smallest volume that matches.

#include "src/engine/scheduler/volumes/volume_supply.h"

#include <algorithm>

#include "dra/base/text.h"
#include "dra/engine/facts/label_match.h"

namespace dra::engine {
namespace {

using diag::Code;
using diag::Reason;

constexpr std::string_view kSelectedNode = "volume.kubernetes.io/selected-node";
constexpr std::string_view kNoProvisioner = "kubernetes.io/no-provisioner";
constexpr std::string_view kFilesystem = "Filesystem";

base::Quantity storage_of(const api::Map<api::Quantity>& amounts) {
  base::Quantity amount;
  const api::Quantity* written = api::find(amounts, api::kStorage);
  if (written != nullptr) base::Quantity::read(written->text, amount);
  return amount;
}

base::Quantity size_of(const PodVolumeClaim& claim) {
  return storage_of(claim.spec->resources.requests);
}

std::string_view mode_or_default(std::string_view mode) {
  return mode.empty() ? kFilesystem : mode;
}

const std::string_view* selected_node(const PodVolumeClaim& claim) {
  return claim.claim == nullptr ? nullptr : api::find(claim.claim->meta.annotations, kSelectedNode);
}

bool is_bound_to(const api::PersistentVolume& volume, const PodVolumeClaim& claim) {
  const auto& reference = volume.spec.claim;
  if (!reference || claim.claim == nullptr) return false;
  const api::ObjectMeta& meta = claim.claim->meta;
  return reference->name == meta.name && reference->namespace_ == meta.namespace_ &&
         (reference->uid.empty() || reference->uid == meta.uid);
}

bool has_modes(const api::VolumeClaimSpec& claim, const api::PersistentVolumeSpec& volume) {
  return std::ranges::all_of(claim.access_modes, [&volume](std::string_view mode) {
    return std::ranges::find(volume.access_modes, mode) != volume.access_modes.end();
  });
}

bool holds(const api::TopologyTerm& term, const api::Node& node) {
  return !term.requirements.empty() &&
         std::ranges::all_of(term.requirements, [&node](const api::TopologyRequirement& one) {
           const std::string_view* value = api::find(node.meta.labels, one.key);
           return value != nullptr && std::ranges::find(one.values, *value) != one.values.end();
         });
}

bool is_in_topologies(const api::StorageClass& storage, const api::Node& node) {
  return storage.topologies.empty() ||
         std::ranges::any_of(storage.topologies,
                             [&node](const auto& term) { return holds(term, node); });
}

std::string words_of(const std::vector<api::TopologyTerm>& terms) {
  std::vector<std::string> all;
  for (const api::TopologyTerm& term : terms) {
    std::vector<std::string> parts;
    for (const api::TopologyRequirement& one : term.requirements) {
      const std::vector<std::string> values(one.values.begin(), one.values.end());
      parts.push_back(base::format("{} in ({})", one.key, base::join(values, ",")));
    }
    all.push_back(base::join(parts, ","));
  }
  return base::join(all, " or ");
}

// "10Gi" as it is written.
std::string size_words(const PodVolumeClaim& claim) {
  const api::Quantity* size = api::find(claim.spec->resources.requests, api::kStorage);
  return size == nullptr ? "any size" : std::string(size->text);
}

}  // namespace

// Why volumes of the class do not serve a claim on a node.
struct VolumeSupply::Tally {
  std::int64_t taken = 0;  // bound, or chosen for another claim of the pod
  std::int64_t small = 0;
  std::int64_t unlike = 0;     // in mode, access modes, labels or attributes
  std::int64_t elsewhere = 0;  // for other nodes

  std::string words(std::string_view class_name) const {
    const std::int64_t all = taken + small + unlike + elsewhere;
    const std::string of = class_name.empty() ? "without a StorageClass"
                                              : base::format("of StorageClass {}", class_name);
    if (all == 0) return base::format("there is no PersistentVolume {}", of);
    std::vector<std::string> parts;
    const auto add = [&parts](std::int64_t count, std::string_view words) {
      if (count > 0) parts.push_back(base::format("{} {}", count, words));
    };
    add(taken, "not available");
    add(small, "too small");
    add(unlike, "of another kind");
    add(elsewhere, "on other nodes");
    return base::format("of {} {} none matches ({})", base::plural(all, "PersistentVolume"), of,
                        base::join(parts, ", "));
  }
};

// A claim that waits, and which volumes of its class suit it as far as that is the same on every
// node.
struct VolumeSupply::Wish {
  const PodVolumeClaim* claim;
  const Offers* offers;
  std::vector<bool> suits = {};  // by the place of the offer
  std::int64_t suitable = 0;
  const Offer* own = nullptr;  // suits, and is bound to the claim
  Tally others = {};           // that do not suit
};

VolumeSupply::VolumeSupply(const snapshot::Snapshot& snapshot,
                           const std::vector<PodVolumeClaim>& claims, bool capacity_known)
    : snapshot_(snapshot), capacity_known_(capacity_known) {
  for (const PodVolumeClaim& claim : claims)
    offers_.try_emplace(claim.class_name);
  if (offers_.empty()) return;
  for (const api::PersistentVolume& volume : snapshot.all<api::PersistentVolume>()) {
    const auto offers = offers_.find(class_of(volume));
    if (offers == offers_.end()) continue;
    const auto& required = volume.spec.affinity.required;
    offers->second.all.push_back({&volume, storage_of(volume.spec.capacity),
                                  NodeMatcher(required.value_or(api::NodeSelector())),
                                  !required.has_value()});
    required ? offers->second.index.add(*required) : offers->second.index.add_for_all();
  }
  add_wishes(claims);
  if (capacity_known) add_capacities();
}

VolumeSupply::~VolumeSupply() = default;

void VolumeSupply::add_wishes(const std::vector<PodVolumeClaim>& claims) {
  std::vector<const PodVolumeClaim*> by_size;
  for (const PodVolumeClaim& claim : claims)
    (selected_node(claim) == nullptr ? by_size : chosen_).push_back(&claim);
  std::ranges::stable_sort(by_size,
                           [](const auto* a, const auto* b) { return size_of(*a) < size_of(*b); });
  for (const PodVolumeClaim* claim : by_size) {
    Wish wish{.claim = claim, .offers = &offers_.at(claim->class_name)};
    for (const Offer& offer : wish.offers->all) {
      const Count refused = refusal(*claim, offer);
      wish.suits.push_back(refused == nullptr);
      if (refused != nullptr) {
        ++(wish.others.*refused);
        continue;
      }
      ++wish.suitable;
      if (wish.own == nullptr && is_bound_to(*offer.volume, *claim)) wish.own = &offer;
    }
    wishes_.push_back(std::move(wish));
  }
}

void VolumeSupply::add_capacities() {
  for (const api::CsiStorageCapacity& one : snapshot_.all<api::CsiStorageCapacity>()) {
    const auto& limit = one.largest ? one.largest : one.capacity;
    if (!offers_.contains(one.class_name) || !limit || !one.nodes) continue;
    Capacities& capacities = capacities_[one.class_name];
    base::Quantity room;
    base::Quantity::read(limit->text, room);
    capacities.all.push_back({&one, room});
    capacities.index.add(*one.nodes);
  }
}

bool VolumeSupply::is_for(const Offer& offer, const api::Node& node) const {
  if (offer.for_all_nodes) return true;
  api::Node labels_only;  // a volume knows the node by its labels alone
  labels_only.meta.labels = node.meta.labels;
  const auto matched = offer.nodes.matches(labels_only);
  return matched.ok() && matched.value();
}

// What keeps a volume from a claim on every node: the part of the tally that counts it, null where
// nothing does. The order of the conditions is upstream's: where a volume that is bound to the
// claim matches in size, mode and attributes and is not being deleted, nothing else about it is
// asked.
VolumeSupply::Count VolumeSupply::refusal(const PodVolumeClaim& claim, const Offer& offer) {
  const api::PersistentVolume& volume = *offer.volume;
  const api::PersistentVolumeSpec& spec = volume.spec;
  const bool own = is_bound_to(volume, claim);
  if ((spec.claim && !own) || volume.meta.deleted) return &Tally::taken;
  if (offer.size < size_of(claim)) return &Tally::small;
  if (mode_or_default(claim.spec->mode) != mode_or_default(spec.mode) ||
      claim.spec->attributes_class != spec.attributes_class) {
    return &Tally::unlike;
  }
  if (own) return nullptr;
  if (volume.status.phase != "Available") return &Tally::taken;
  const bool labelled =
      !claim.spec->selector || selects(*claim.spec->selector, volume.meta.labels) == true;
  return labelled && has_modes(*claim.spec, spec) ? nullptr : &Tally::unlike;
}

// A volume that is bound to the claim decides, wherever it is; of others the smallest is taken.
const VolumeSupply::Offer* VolumeSupply::find(const Wish& wish, const api::Node& node,
                                              const std::vector<const Offer*>& taken) const {
  const auto is_taken = [&taken](const Offer& offer) {
    return std::ranges::find(taken, &offer) != taken.end();
  };
  if (wish.own != nullptr && !is_taken(*wish.own))
    return is_for(*wish.own, node) ? wish.own : nullptr;
  const Offer* best = nullptr;
  for (const std::size_t place : wish.offers->index.find(node)) {
    const Offer& offer = wish.offers->all[place];
    if (!wish.suits[place] || (best != nullptr && best->size <= offer.size)) continue;
    if (!is_taken(offer) && is_for(offer, node)) best = &offer;
  }
  return best;
}

VolumeSupply::Tally VolumeSupply::tally(const Wish& wish, const api::Node& node,
                                        const std::vector<const Offer*>& taken) const {
  Tally tally = wish.others;
  for (const Offer* offer : taken) {
    if (class_of(*offer->volume) != wish.claim->class_name) continue;
    const Count refused = refusal(*wish.claim, *offer);
    if (refused != nullptr) --(tally.*refused);
    ++tally.taken;
  }
  tally.elsewhere = wish.suitable;
  for (const std::size_t place : wish.offers->index.find(node)) {
    if (wish.suits[place] && is_for(wish.offers->all[place], node)) --tally.elsewhere;
  }
  return tally;
}

// `why` has, for each, why no volume that is there serves it.
std::vector<const PodVolumeClaim*> VolumeSupply::without_volume(
    const api::Node& node, std::vector<std::string>& why) const {
  std::vector<const PodVolumeClaim*> left;
  std::vector<const Offer*> taken;
  for (const Wish& wish : wishes_) {
    const Offer* offer = find(wish, node, taken);
    if (offer != nullptr) {
      taken.push_back(offer);
      continue;
    }
    left.push_back(wish.claim);
    why.push_back(tally(wish, node, taken).words(wish.claim->class_name));
  }
  return left;
}

void VolumeSupply::check(const api::Node& node, std::vector<Reason>& reasons) const {
  for (const PodVolumeClaim* claim : chosen_) {
    const std::string_view selected = *selected_node(*claim);
    if (selected == node.meta.name) continue;
    reasons.push_back(
        {.code = Code::VolumeUnavailable,
         .message = base::format("the volume of PersistentVolumeClaim {} is being made for node {}",
                                 claim->name, selected)});
    return;
  }
  for (const PodVolumeClaim* claim : chosen_) {
    if (!provision(*claim, {}, node, reasons)) return;
  }
  std::vector<std::string> why;
  const auto left = without_volume(node, why);
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (!provision(*left[i], why[i], node, reasons)) return;
  }
}

bool VolumeSupply::provision(const PodVolumeClaim& claim, const std::string& why_none,
                             const api::Node& node, std::vector<Reason>& reasons) const {
  const auto* storage = snapshot_.find<api::StorageClass>(claim.class_name);
  DRA_CHECK(storage != nullptr);  // else the claim would not wait
  if (storage->provisioner.empty() || storage->provisioner == kNoProvisioner) {
    reasons.push_back(
        {.code = Code::VolumeUnavailable,
         .message = base::format("no PersistentVolume for PersistentVolumeClaim {} ({}): {}",
                                 claim.name, size_words(claim), why_none)});
    return false;
  }
  if (!is_in_topologies(*storage, node)) {
    reasons.push_back(
        {.code = Code::VolumeUnavailable,
         .message = base::format("StorageClass {} of PersistentVolumeClaim {} makes "
                                 "volumes only for nodes with {}",
                                 claim.class_name, claim.name, words_of(storage->topologies))});
    return false;
  }
  return !capacity_known_ || has_room(claim, *storage, node, reasons);
}

// What the driver of the class says that it has for the node.
std::vector<base::Quantity> VolumeSupply::rooms(std::string_view class_name,
                                                const api::Node& node) const {
  std::vector<base::Quantity> rooms;
  const auto of_class = capacities_.find(class_name);
  if (of_class == capacities_.end()) return rooms;
  for (const std::size_t place : of_class->second.index.find(node)) {
    const Capacity& one = of_class->second.all[place];
    if (selects(*one.object->nodes, node.meta.labels) == true) rooms.push_back(one.room);
  }
  return rooms;
}

bool VolumeSupply::has_room(const PodVolumeClaim& claim, const api::StorageClass& storage,
                            const api::Node& node, std::vector<Reason>& reasons) const {
  if (api::find(claim.spec->resources.requests, api::kStorage) == nullptr) return true;
  const auto* driver = snapshot_.find<api::CsiDriver>(storage.provisioner);
  if (driver == nullptr || !driver->spec.storage_capacity) return true;
  const std::int64_t size = size_of(claim).wrapped_value();
  std::optional<base::Quantity> most;
  for (const base::Quantity& room : rooms(storage.meta.name, node)) {
    if (room.wrapped_value() >= size) return true;
    if (!most || *most < room) most = room;
  }
  const std::string room =
      most ? base::format("at most {}", most->to_string()) : std::string("none");
  reasons.push_back(
      {.code = Code::VolumeCapacity,
       .message = base::format("PersistentVolumeClaim {} needs {} of StorageClass {}, "
                               "and its driver {} has {} for the node",
                               claim.name, size_words(claim), claim.class_name, storage.provisioner,
                               room)});
  return false;
}

}  // namespace dra::engine
