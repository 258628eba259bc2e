// include/dra/answers/explain/capacity_words.h
//
// Messages about a pod from components that add nodes or queue pods: cluster-autoscaler, Karpenter,
// Kueue. What they mean is recognized by the upstream sources that write them; any other message is
// only quoted.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/api/pod.h"
#include "dra/base/time.h"
#include "dra/diag/remedy.h"
#include "dra/snapshot/snapshot.h"

namespace dra::api {
struct Event;
}  // namespace dra::api

namespace dra::answers {

// Whether a new node is to be expected.
enum class NewNode : std::uint8_t {
  Unknown,      // the message is none of those that are known
  Coming,       // it is being added
  DidNotHelp,   // it was added, or was to be, long ago, and the pod still waits
  AtLimit,      // a group of nodes, or the cluster, must not grow
  Failed,       // the cloud did not provide it
  WouldNotFit,  // no group would get one that serves the pod
  NotForClaims  // the component adds none for pods with claims
};
std::string_view name_of(NewNode node);  // "coming"

struct CapacityWord {
  std::string who;  // "cluster-autoscaler"
  std::string message;
  std::optional<base::Instant> at;
  NewNode node = NewNode::Unknown;
  // What it means and what to do; empty for what is unknown.
  diag::Remedy remedy = {};
};

// The newest event of each component about the pod. For cluster-autoscaler only reasons
// about more nodes count.
std::vector<CapacityWord> capacity_words(const snapshot::Snapshot& snapshot, const api::Pod& pod);

// Whether one of these components has written the event, so that it is no scheduler's.
bool is_about_capacity(const api::Event& event);

}  // namespace dra::answers
