// include/dra/engine/whatif/supposed.h
//
// A subject and a cluster as they would be with some changes. The snapshot stays as it is: what
// differs from it is held here and given to those that look at it. What asks "what if", what tries
// an advice and what looks for a conflict all suppose something, and then run the same engine.
//
// A node that is to be added cannot be supposed: that takes a snapshot with it, see
// snapshot::add_nodes_like.

#pragma once

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/engine/cluster/inventory.h"
#include "dra/engine/facts/change.h"
#include "dra/engine/scheduler/demands.h"
#include "dra/engine/scheduler/pod_claims.h"

namespace dra::engine {

// For whom devices are looked for: a pod, or claims together.
struct Wanted {
  std::string namespace_;
  std::string pod;                  // empty: the claims
  std::vector<std::string> claims;  // in their order
};
// Where the pod is not there, nothing is asked for.
Subject resolve(const snapshot::Snapshot& snapshot, const Wanted& wanted);

// As if nobody but the subject held anything.
HeldBy own_claims(const Subject& subject);

class Supposed {
 public:
  // The snapshot must outlive it.
  Supposed(const snapshot::Snapshot& snapshot, const Wanted& wanted);
  Supposed(const Supposed&) = delete;  // its parts point to each other
  Supposed& operator=(const Supposed&) = delete;

  // False: the change has no place here, as there is no such claim, request, selector, pod; or it
  // cannot be supposed.
  bool apply(const Change& change);

  const Subject& subject() const { return subject_; }
  const Otherwise& otherwise() const { return otherwise_; }
  const ClassesInstead& classes() const { return classes_; }
  const std::vector<const api::Pod*>& gone() const { return gone_; }
  // Somebody holds less, or a pool, a taint is otherwise.
  bool changes_inventory() const { return changes_inventory_; }

  // The parts, for those who suppose something else than a change. Claims are named by their
  // labels; nullptr: there is none whose spec can be changed.
  api::ClaimSpec* spec_of(std::string_view claim);
  // A class of its own for the demand, to be changed. nullptr: the class is not there.
  api::DeviceClass* class_for(api::DeviceDemand& demand);
  Otherwise& change_inventory();
  std::string_view keep(std::string text) { return text_.emplace_back(std::move(text)); }
  // The scheduler has taken back what is allocated of the claims, of the subject's, named by their
  // labels.
  void deallocate(const std::vector<std::string>& claims);
  // Nothing that is held by others counts.
  void empty_the_cluster();

 private:
  bool make(const SetCount& change);
  bool make(const DropSelector& change);
  bool make(const EditSelector& change);
  bool make(const Tolerate& change);
  bool make(const DropConstraint& change);
  bool make(const UseAlternative& change);
  bool make(const Release& change);
  bool make(const AddNode& change);
  bool make(const Wait& change);
  bool tolerate_on_nodes(const api::Toleration& toleration);
  // Of the class itself, as all demands that name it see it.
  api::DeviceClass* shared_class(std::string_view name);
  std::string_view class_asked(const SelectorPlace& place) const;
  api::DeviceDemand* demand(std::string_view claim, std::string_view request);
  std::vector<api::DeviceSelector>* selectors(const SelectorPlace& place);

  const snapshot::Snapshot& snapshot_;
  Subject subject_;
  Otherwise otherwise_;
  ClassesInstead classes_;
  std::vector<const api::Pod*> gone_;
  bool changes_inventory_ = false;
  std::deque<api::ClaimSpec> specs_;
  std::deque<api::DeviceClass> own_classes_;
  std::deque<api::ResourceClaim> pending_;  // again
  std::deque<std::string> text_;
  std::unique_ptr<api::Pod> pod_;  // with more tolerations
};

}  // namespace dra::engine
