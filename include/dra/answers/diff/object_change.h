// include/dra/answers/diff/object_change.h
//
// One object that differs between two states of a cluster, as facts that a report puts into words.
// Facts cover the important fields of each kind. Where none of these differ, PartsChanged names the
// parts that do.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "dra/snapshot/state_between.h"

namespace dra::answers {

struct ObjectReplaced {};   // same name, another uid
struct DeletionStarted {};  // it has a deletion timestamp now
struct PartsChanged {
  std::vector<std::string_view> parts;  // "spec", "labels"
};

// ResourceClaims. Consumers are the entries of status.reservedFor: pods by name, others as
// "resource/name".
struct ClaimAllocated {  // also for a claim that was added or removed
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
struct SliceSize {  // only for a slice that was added or removed
  std::int64_t devices = 0;
};
struct SliceDevicesChanged {
  enum class What { Added, Removed, TaintAdded, TaintRemoved };
  What what;
  std::vector<std::string_view> devices;  // names of the devices
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
struct StatusChanged {  // status as kubectl shows it
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
struct RuleTaint {  // only for a rule that was added or removed
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
  bool repeated = false;  // an event with the same message existed before
};

using ChangeFact =
    std::variant<ObjectReplaced, DeletionStarted, PartsChanged, ClaimAllocated, ClaimDeallocated,
                 ClaimDevicesChanged, ReservationsChanged, SliceSize, SliceDevicesChanged,
                 GenerationChanged, SliceCountChanged, StatusChanged, NodeTaintAdded,
                 NodeTaintRemoved, PodBound, PodUnbound, RuleTaint, RuleTaintChanged, EventText>;

// Texts point into the snapshots.
struct ObjectChange {
  snapshot::Difference object;
  // The most important first; at most one for an object that was added or removed.
  std::vector<ChangeFact> facts = {};
};

}  // namespace dra::answers
