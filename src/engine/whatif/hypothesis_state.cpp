// src/engine/whatif/hypothesis_state.cpp: the state of a cluster in which a hypothesis holds: what
// its overrides say, written into objects. See hypothesis.h.

#include <algorithm>

#include "dra/engine/whatif/hypothesis.h"

#include "dra/api/device_class.h"
#include "dra/api/pod.h"

namespace dra::engine {

snapshot::Draft Hypothesis::draft() const {
  DRA_CHECK(!overrides_.held_by && !overrides_.untainted && !overrides_.all_complete);
  snapshot::Draft draft(base());
  draft.share_texts(text_);
  for (const auto& [claim, changed] : changed_claims_) {
    draft.change<api::ResourceClaim>(
        claim->meta.namespace_, claim->meta.name,
        [&changed = changed](api::ResourceClaim& one) { one = changed; });
  }
  write_demands(draft);
  write_pools(draft);
  remove_released(draft);
  return draft;
}

// What the subject asks for: in its claims, the templates of those that are not made yet, classes
// and the pod.
void Hypothesis::write_demands(snapshot::Draft& draft) const {
  for (const SubjectClaim& claim : subject_.claims) {
    const auto spec = specs_.find(&claim);
    if (spec == specs_.end() || claim.spec != &spec->second) continue;
    if (claim.claim != nullptr) {
      draft.change<api::ResourceClaim>(claim.namespace_, claim.name,
                                       [&](api::ResourceClaim& one) { one.spec = spec->second; });
    } else {
      draft.change<api::ResourceClaimTemplate>(
          claim.namespace_, claim.template_name,
          [&](api::ResourceClaimTemplate& one) { one.spec.spec = spec->second; });
    }
  }
  std::vector<api::DeviceClass> classes;
  for (const auto& [name, device_class] : classes_)
    classes.push_back(*device_class);
  draft.add(std::move(classes));
  if (pod_ == nullptr) return;
  draft.change<api::Pod>(pod_->meta.namespace_, pod_->meta.name,
                         [this](api::Pod& one) { one = *pod_; });
}

// A pool is complete with the slices that it has.
void Hypothesis::write_pools(snapshot::Draft& draft) const {
  if (overrides_.complete.empty()) return;
  const Inventory inventory(base(), overrides_);
  for (const api::PoolName& name : overrides_.complete) {
    const Pool* pool = inventory.find_pool(name.driver, name.pool);
    if (pool == nullptr) continue;
    const auto is_newest = [&](const api::ResourceSlice& slice) {
      return slice.spec.driver == name.driver && slice.spec.pool.name == name.pool &&
             slice.spec.pool.generation == pool->generation;
    };
    draft.change_if<api::ResourceSlice>(is_newest, [pool](api::ResourceSlice& slice) {
      slice.spec.pool.slice_count = pool->slices_expected;
    });
  }
}

// With a pod goes what was made for it alone.
void Hypothesis::remove_released(snapshot::Draft& draft) const {
  const auto is_for = [](const api::ResourceClaim& claim, const api::Pod* pod) {
    if (claim.meta.namespace_ != pod->meta.namespace_) return false;
    const api::OwnerReference* owner = api::controller_of(claim.meta);
    const auto& extended = pod->status.extended_resource_claim;
    return (owner != nullptr && owner->uid == pod->meta.uid) ||
           (extended && extended->claim_name == claim.meta.name);
  };
  const auto is_named = [](const auto* object, const api::ObjectMeta& meta) {
    return object->meta.namespace_ == meta.namespace_ && object->meta.name == meta.name;
  };
  draft.remove_if<api::ResourceClaim>([&](const api::ResourceClaim& claim) {
    return std::ranges::any_of(
               deleted_claims_,
               [&](const api::ResourceClaim* gone) { return is_named(gone, claim.meta); }) ||
           std::ranges::any_of(gone_, [&](const api::Pod* pod) { return is_for(claim, pod); });
  });
  draft.remove_if<api::Pod>([&](const api::Pod& pod) {
    return std::ranges::any_of(gone_,
                               [&](const api::Pod* gone) { return is_named(gone, pod.meta); });
  });
}

void Hypothesis::make_pending() {
  const api::Pod* pod = subject_.pod;
  if (pod != nullptr) unreserve(*pod);
  snapshot::Draft draft = this->draft();
  if (pod == nullptr) {
    const auto is_meant = [this](const api::ResourceClaim& claim) {
      return claim.meta.namespace_ == wanted_.namespace_ &&
             std::ranges::find(wanted_.claims, claim.meta.name) != wanted_.claims.end();
    };
    draft.change_if<api::ResourceClaim>(is_meant,
                                        [](api::ResourceClaim& claim) { claim.status = {}; });
  } else {
    // The scheduler makes the claim for extended resources where it puts the pod.
    const auto extended = pod->status.extended_resource_claim;
    draft.remove_if<api::ResourceClaim>([&](const api::ResourceClaim& claim) {
      return extended && claim.meta.namespace_ == wanted_.namespace_ &&
             claim.meta.name == extended->claim_name;
    });
    draft.change<api::Pod>(wanted_.namespace_, wanted_.pod, [](api::Pod& one) {
      one.status.extended_resource_claim.reset();
      one.spec.node_name = {};
      one.meta.deleted.reset();
      std::erase_if(one.status.conditions, [](const api::Condition& condition) {
        return condition.type == "PodScheduled";
      });
    });
  }
  rebase(std::move(draft));
}

// Nothing is supposed on top of the new base.
void Hypothesis::rebase(snapshot::Draft draft) {
  own_base_ = std::make_unique<const snapshot::Snapshot>(std::move(draft).finish());
  base_ = own_base_.get();
  subject_ = resolve(*base_, wanted_);
  by_label_.clear();
  specs_.clear();
  pod_.reset();
  own_classes_.clear();
  demand_classes_.clear();
  classes_.clear();
  changed_claims_.clear();
  deleted_claims_.clear();
  gone_.clear();
  overrides_ = {};
  changes_inventory_ = false;
}

}  // namespace dra::engine
