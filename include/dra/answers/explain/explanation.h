// include/dra/answers/explain/explanation.h
//
// `kubectl dra explain`: what keeps a pod or its claims from running, as facts.
//
// The stages: what selectors choose, and what the scheduler would decide about each node; the
// verdict; what fails after scheduling; the cause, as one sentence; whether that can change, and
// what would help. The scheduler's own words stand beside it.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dra/answers/explain/capacity_words.h"
#include "dra/answers/explain/selector_findings.h"
#include "dra/base/time.h"
#include "dra/diag/subject.h"
#include "dra/engine/running/after_scheduling.h"
#include "dra/engine/scheduler/standing.h"
#include "dra/engine/scheduler/verdict.h"
#include "dra/engine/selectors/device_counts.h"
#include "dra/engine/selectors/suggestions.h"
#include "dra/engine/whatif/advice.h"
#include "dra/engine/whatif/conflicts.h"

namespace dra::answers {

using diag::SubjectName;
using engine::Verdict;

// What a selector says of all devices there are. `devices` are those that the selectors before it
// leave, `matched` those that it leaves, `failed` those for which it fails.
struct SelectorFacts {
  bool of_class = false;
  std::size_t index = 0;  // among those of the class, or of the request
  std::string expression;
  std::size_t devices = 0;
  std::size_t matched = 0;
  std::size_t failed = 0;
};
struct DemandFacts {
  const api::DeviceDemand* demand;
  bool known = false;                            // the class could be read
  std::size_t devices = 0;                       // in the cluster
  std::size_t chosen = 0;                        // of these, by all selectors
  std::optional<engine::FreeDevices> free = {};  // of those chosen; no value: not known
  std::vector<SelectorFacts> selectors = {};
  std::vector<SelectorFinding> findings = {};  // what is wrong with them
  // Changes that mend it, where every detail was asked for. Selectors are counted from the class's
  // first.
  std::vector<engine::Suggestion> suggestions = {};
  // Of all selectors together, where no device is chosen or every detail was asked for, and devices
  // are not too different.
  std::optional<engine::ClauseTable> clauses = {};
};

// nullptr: the demand is not among them.
const DemandFacts* facts_of(std::span<const DemandFacts> all, const api::DeviceDemand& demand);

// Of a subject that does not fit: whether it could if nobody else held any device.
enum class When {
  Never,
  NotNow,   // it could
  NotHere,  // it could, but only on nodes that other filters reject
};
std::string_view name_of(When when);  // "never", "notNow", "notHere"
struct Outlook {
  When when;
  std::int64_t nodes = 0;  // on which it would fit
};

// What the cluster itself says about the pod, from its PodScheduled condition or the newest event.
struct SchedulerWord {
  std::string message;
  std::string reason;
  std::optional<base::Instant> since;
  std::optional<bool> agrees;              // with the verdict, where both speak of the same nodes
  std::optional<std::int64_t> nodes = {};  // that it speaks of, where it says so
};

// What cannot hold together of what a subject asks for that fits nowhere, and what would help it.
struct Help {
  engine::ConflictsFound conflicts;
  engine::AdviceFound advice;
};

// A device that was asked about, on the nodes that see it, and on those that were named.
struct DeviceOnNode {
  std::size_t node;  // index into Explanation::nodes
  // For each demand of every claim; no value where the node does not see the device.
  std::optional<std::vector<engine::DeviceVerdict>> requests;
};
struct DeviceAnswer {
  std::string device;  // driver/pool/device
  std::vector<DeviceOnNode> nodes = {};
};

struct Explanation {
  std::vector<SubjectName> subjects;      // at least one
  std::vector<DemandFacts> demands = {};  // of what is to be allocated
  Verdict verdict = Verdict::Undetermined;
  // What stops the subject before any node is looked at, or leaves open what the nodes come to.
  std::vector<diag::Reason> blockers = {};
  std::string summary;             // one sentence: verdict, cause, who
  std::string cause;               // the cause alone; empty where there is nothing to account for
  std::optional<diag::Code> code;  // that stands for the cause
  std::string depends_on;  // what is not computed, where that leaves the verdict undetermined
  // What the pod uses that no filter here simulates: "inter-pod affinity".
  std::vector<std::string> not_simulated = {};
  // Where no node fits, every detail was asked for, and it is proven.
  std::optional<Outlook> outlook = {};
  // What is supposed: the snapshot has these changes already. The scheduler's words are of the
  // cluster without them.
  std::vector<engine::Change> what_if = {};
  // Of a subject that certainly does not fit, where every detail of every node was asked for.
  std::optional<Help> help = {};
  std::vector<CapacityWord> capacity_words = {};
  engine::Subject subject;
  std::optional<SchedulerWord> scheduler;
  std::vector<engine::NodeStanding> nodes;
  bool nodes_assumed = false;
  bool nodes_chosen = false;  // only those that were named were looked at
  // A single claim was named that is not allocated, and no pod uses it: then nobody allocates it.
  bool unused = false;
  // Indices of nodes whose standing is the same in everything but names.
  std::vector<std::vector<std::size_t>> groups;
  std::vector<DeviceAnswer> devices = {};  // as they were named
  // What keeps it from running once it has devices.
  std::vector<engine::AfterFinding> after = {};
  bool cause_is_after = false;  // the first of them is what the summary says

  // It was scheduled, and does not run properly for a cause that was found.
  bool fails_after() const;
  bool hypothetical() const;  // some claim is computed from its template
  // nullptr: it is not to be allocated.
  const DemandFacts* facts_of(const api::DeviceDemand& demand) const;
};

// What is looked at more closely.
struct Focus {
  std::vector<std::string> nodes = {};         // only these; all, if none is named
  std::vector<engine::DeviceId> devices = {};  // what is against each
};

Explanation explain_pod(const snapshot::Snapshot& snapshot, const api::Pod& pod,
                        const Focus& focus = {});
// The verdict and its causes alone, without conditions of selectors and values of devices, where
// several are explained: the inventory and the loads are the snapshot's.
Explanation explain_pod(const snapshot::Snapshot& snapshot, const engine::Inventory& inventory,
                        const engine::NodeLoads& loads, const api::Pod& pod,
                        const Focus& focus = {});
Explanation explain_claims(const snapshot::Snapshot& snapshot, const std::string& ns,
                           const std::vector<std::string>& names, const Focus& focus = {});
Explanation explain_claims(const snapshot::Snapshot& snapshot, const engine::Inventory& inventory,
                           const engine::NodeLoads& loads, const std::string& ns,
                           const std::vector<std::string>& names);

}  // namespace dra::answers
