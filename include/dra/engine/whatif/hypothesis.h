// include/dra/engine/whatif/hypothesis.h
//
// What if: a snapshot, a subject that looks for devices, and what is supposed on top of them. The
// snapshot stays as it is. Everything that asks "what if" makes a hypothesis: flags of `explain`,
// advice, conflicts, PostFilter, the outlook, the capacity for more pods. An empty one is the
// cluster as it is.
//
// There are two ways to look at it. The overrides are for the simulator: the same snapshot, another
// subject, other classes, less that is held; a thousand of them cost no copy of the cluster.
// snapshot() is for everything else: the state in which the changes were made, which shares with
// the base whatever did not change. A change is implemented once and shows in both.
//
// What adds objects, or changes how the subject is resolved, has no override. The hypothesis then
// takes the changed state as its new base.

#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/api/device_class.h"
#include "dra/base/result.h"
#include "dra/engine/cluster/inventory.h"
#include "dra/engine/facts/change.h"
#include "dra/engine/scheduler/demands.h"
#include "dra/engine/scheduler/pod_claims.h"
#include "dra/snapshot/draft.h"

namespace dra::engine {

// For whom devices are looked for: a pod, or claims together.
struct Wanted {
  std::string namespace_;
  std::string pod;                  // empty: the claims
  std::vector<std::string> claims;  // in their order
};
// Where the pod is not there, nothing is asked for.
Subject resolve(const snapshot::Snapshot& snapshot, const Wanted& wanted);

// Of an empty cluster: nobody but the subject holds anything.
HeldBy own_claims(const Subject& subject);

class Hypothesis {
 public:
  // Nothing is supposed. The snapshot must outlive it.
  Hypothesis(const snapshot::Snapshot& snapshot, Wanted wanted);
  Hypothesis(const Hypothesis&) = delete;  // its parts point to each other
  Hypothesis& operator=(const Hypothesis&) = delete;

  // Fails, naming what is not there, where the change has no place. A claim that is made from a
  // template is changed where it is, and in its template where it is not made yet.
  Result<Done> apply(const Change& change);
  Result<Done> apply(std::span<const Change> changes);  // in their order

  // The subject still waits. A pod has no node, and its claims that nobody else has reserved are
  // not allocated; claims are not allocated, whoever has reserved them.
  void make_pending();
  // The scheduler has deallocated these claims of the subject, named by their labels.
  void deallocate(const std::vector<std::string>& claims);

  // Only the simulator can suppose these; no state of a cluster says so.
  void empty_the_cluster();  // nobody but the subject holds anything
  void ignore_taints();      // of devices
  void complete_pools();     // all of them

  // To be changed in place. Claims are named by their labels; nullptr: there is none whose spec can
  // be changed.
  api::ClaimSpec* spec_of(std::string_view claim);
  // A class of its own for the demand. nullptr: the class is not there.
  api::DeviceClass* class_for(api::DeviceDemand& demand);

  const snapshot::Snapshot& base() const { return *base_; }
  const Subject& subject() const { return subject_; }
  const Overrides& overrides() const { return overrides_; }
  const ClassOverrides& classes() const { return classes_; }
  const std::vector<const api::Pod*>& gone() const { return gone_; }
  bool changes_inventory() const { return changes_inventory_; }

  // The state with all that is supposed.
  snapshot::Snapshot snapshot() const { return draft().finish(); }

 private:
  Result<Done> make(const SetCount& change);
  Result<Done> make(const DropSelector& change);
  Result<Done> make(const EditSelector& change);
  Result<Done> make(const Tolerate& change);
  Result<Done> make(const DropConstraint& change);
  Result<Done> make(const RelaxConstraint& change);
  Result<Done> make(const SplitRequests& change);
  Result<Done> make(const SelectNodes& change);
  Result<Done> make(const UseAlternative& change);
  Result<Done> make(const Release& change);
  Result<Done> make(const AddNode& change);
  Result<Done> make(const Wait& change);
  Result<Done> make(const RemoveNode& change);
  Result<Done> make(const JoinNodes& change);
  Result<Done> make(const Drain& change);
  Result<Done> tolerate_on_nodes(const api::Toleration& toleration);
  // The subject's pod, to be changed in place. nullptr: the subject has none.
  api::Pod* own_pod();
  void add_part(const SplitRequests& change, std::int64_t part, api::ClaimDevices& devices);

  // Of the class itself, as all demands that name it see it.
  api::DeviceClass* shared_class(std::string_view name);
  std::string_view class_asked(const SelectorPlace& place) const;
  api::DeviceDemand* demand(std::string_view claim, std::string_view request);
  std::vector<api::DeviceSelector>* selectors(const SelectorPlace& place);
  std::string_view keep(std::string text) { return text_->emplace_back(std::move(text)); }

  Overrides& change_inventory();
  void end_pods(std::span<const api::Pod* const> pods);
  void unreserve(const api::Pod& pod);
  void hold_nothing(const api::ResourceClaim& claim);
  bool takes_from_subject() const;

  snapshot::Draft draft() const;
  void write_demands(snapshot::Draft& draft) const;
  void write_pools(snapshot::Draft& draft) const;
  void remove_released(snapshot::Draft& draft) const;
  void rebase(snapshot::Draft draft);

  Wanted wanted_;
  const snapshot::Snapshot* base_;
  std::unique_ptr<const snapshot::Snapshot> own_base_;
  std::shared_ptr<std::deque<std::string>> text_;  // of the snapshots made, too

  // Objects are the base's; what they are instead is kept here.
  Subject subject_;
  // The subject's claims by label, once one is asked for.
  std::map<std::string, SubjectClaim*, std::less<>> by_label_;
  std::map<const SubjectClaim*, api::ClaimSpec> specs_;  // of the subject's claims
  std::unique_ptr<api::Pod> pod_;                        // the subject's
  std::deque<api::DeviceClass> own_classes_;
  std::map<std::string_view, api::DeviceClass*> demand_classes_;  // those of one demand each
  ClassOverrides classes_;
  std::map<const api::ResourceClaim*, api::ResourceClaim> changed_claims_;
  std::vector<const api::ResourceClaim*> deleted_claims_;
  std::vector<const api::Pod*> gone_;
  Overrides overrides_;
  bool changes_inventory_ = false;
};

}  // namespace dra::engine
