// include/dra/answers/diff/object_change.h
//
// One object that differs between two states of a cluster, and in what: the facts that a report
// makes its words of. Only what matters most of an object is a fact; where nothing of that differs,
// PartsChanged names the parts that do.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "dra/snapshot/state_between.h"

namespace dra::answers {

struct ObjectReplaced {};   // by another one of the same name
struct DeletionStarted {};  // its finalizers are waited for
struct PartsChanged {
  std::vector<std::string_view> parts;  // "spec", "labels"
};

// ResourceClaims. Consumers are who has reserved the claim: pods by name, others as
// "resource/name".
struct ClaimAllocated {  // also of a claim that was added or removed
  std::vector<std::string> consumers;
};
struct ClaimDeallocated {
  std::vector<std::string> consumers;  // before
};
struct ClaimDevicesChanged {
  std::int64_t before = 0;  // numbers of devices
  std::int64_t after = 0;
  std::vector<std::string> consumers;
};
struct ReservationsChanged {
  std::vector<std::string> before;
  std::vector<std::string> after;
};

// ResourceSlices.
struct SliceSize {  // of a slice that was added or removed
  std::int64_t devices = 0;
};
struct SliceDevicesChanged {
  enum class What { Added, Removed, TaintAdded, TaintRemoved };
  What what;
  std::vector<std::string_view> devices;  // their names
};
struct GenerationChanged {
  std::int64_t before = 0;
  std::int64_t after = 0;
};
struct SliceCountChanged {
  std::int64_t before = 0;
  std::int64_t after = 0;
};

// Nodes and pods.
struct StatusChanged {  // as kubectl shows it
  std::string before;
  std::string after;
};
struct NodeTaintAdded {
  std::string taint;
};
struct NodeTaintRemoved {
  std::string taint;
};
struct PodBound {
  std::string_view node;
};
struct PodUnbound {
  std::string_view node;  // before
};

// DeviceTaintRules.
struct RuleTaint {  // of a rule that was added or removed
  std::string taint;
};
struct RuleTaintChanged {
  std::string before;
  std::string after;
};

// Events.
struct EventText {
  std::string_view reason;
  std::string_view message;
  bool repeated = false;  // the same event was there before
};

using ChangeFact =
    std::variant<ObjectReplaced, DeletionStarted, PartsChanged, ClaimAllocated, ClaimDeallocated,
                 ClaimDevicesChanged, ReservationsChanged, SliceSize, SliceDevicesChanged,
                 GenerationChanged, SliceCountChanged, StatusChanged, NodeTaintAdded,
                 NodeTaintRemoved, PodBound, PodUnbound, RuleTaint, RuleTaintChanged, EventText>;

// Texts are those of the snapshots.
struct ObjectChange {
  snapshot::Difference object;
  std::vector<ChangeFact> facts = {};  // the most important first; added or removed: at most one
};

}  // namespace dra::answers
