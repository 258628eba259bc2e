// include/dra/answers/explain/rescheduling.h
//
// `kubectl dra explain --as-if-pending --all`: for each pod that has devices, where it could go if
// it had to start once more and the others kept theirs. Changes of the cluster and another release
// may be supposed. The answer then says what is due to them.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/answers/explain/change_facts.h"
#include "dra/api/pod.h"
#include "dra/diag/codes.h"
#include "dra/engine/facts/change.h"
#include "dra/snapshot/snapshot.h"

namespace dra::answers {

// Where a pod would go.
enum class NextNode : std::uint8_t {
  Same,   // its own node is among those that fit
  Other,  // only other nodes fit
  None,   // no node fits, or it would not start
  Open,   // something could not be read, or is not simulated
};
std::string_view name_of(NextNode next);  // "Same", as in reports

struct RescheduledPod {
  const api::Pod* pod = nullptr;  // of the state before
  NextNode next = NextNode::Same;
  // Of Other: the nodes that fit, by name.
  std::vector<std::string> nodes = {};
  // Of Other, why its own node does not fit; of None and Open, what the headline of its explanation
  // says. The end of a sentence.
  std::string cause = {};
  std::optional<diag::Code> code = {};
  // Where something is supposed: the same comes of it without that.
  bool also_without = false;
};

struct Rescheduling {
  std::string namespace_;  // empty: all
  // By namespace and name.
  std::vector<RescheduledPod> pods = {};
  std::vector<const api::Pod*> not_looked_at = {};  // those beyond the pods that are explained
  std::size_t elsewhere = 0;                        // such pods in other namespaces
  std::vector<engine::Change> what_if = {};
  std::vector<ChangeFacts> what_if_facts = {};
  // With the changes, as long as no pod waits. The facts point into it.
  std::shared_ptr<const snapshot::Snapshot> state = {};
  // Another release than the cluster's is supposed: both, "v1.36.2" and "v1.38".
  std::string release_before = {};
  std::string release = {};
  std::vector<std::string> gates = {};  // likewise, that are supposed: "DRADeviceTaints=false"
  snapshot::Coverage coverage = {};

  bool supposes() const { return !what_if.empty() || !release.empty() || !gates.empty(); }
  std::size_t count(NextNode next) const;
  // Why it is not known which pods have devices: "pods are not in the files". Empty: it is known.
  std::string unknown() const;
};

// `server`: what is supposed to run in place of the snapshot's. Fails where a change has no place.
// The snapshot must outlive the result.
Result<Rescheduling> rescheduling(const snapshot::Snapshot& snapshot, std::string_view ns,
                                  std::span<const engine::Change> changes,
                                  const snapshot::Server& server);

}  // namespace dra::answers
