// include/dra/answers/explain/explanation.h
//
// `kubectl dra explain`: the facts about why a pod or its claims do not run.
//
// The stages, in order: what the selectors choose, and what the scheduler would decide about each
// node; the verdict; what fails after scheduling; the cause as one sentence; whether the subject
// can ever fit, and what would help. The scheduler's own message is kept for comparison.

#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dra/answers/explain/capacity_words.h"
#include "dra/answers/explain/change_facts.h"
#include "dra/answers/explain/headline.h"
#include "dra/answers/explain/kept_away.h"
#include "dra/answers/explain/selector_findings.h"
#include "dra/base/time.h"
#include "dra/diag/remedy.h"
#include "dra/diag/subject.h"
#include "dra/engine/cluster/components.h"
#include "dra/engine/cluster/holder_state.h"
#include "dra/engine/cluster/workload_pods.h"
#include "dra/engine/running/after_scheduling.h"
#include "dra/engine/scheduler/node_result.h"
#include "dra/engine/scheduler/verdict.h"
#include "dra/engine/selectors/device_counts.h"
#include "dra/engine/selectors/suggestions.h"
#include "dra/engine/whatif/advice.h"
#include "dra/engine/whatif/conflicts.h"
#include "dra/engine/whatif/gang.h"
#include "dra/engine/whatif/preemption.h"

namespace dra::answers {

using diag::SubjectName;
using engine::Verdict;

// One selector, evaluated for the devices of the cluster. `devices` pass all selectors before it,
// `matched` of these pass it as well, and for `failed` it ends in an error.
struct SelectorFacts {
  bool of_class = false;
  std::size_t index = 0;  // index among the selectors of the class, or of the request
  std::string expression;
  std::size_t devices = 0;
  std::size_t matched = 0;
  std::size_t failed = 0;
};
struct DemandFacts {
  const api::DeviceDemand* demand;
  bool known = false;       // false: the class could not be read
  std::size_t devices = 0;  // devices of the cluster
  std::size_t chosen = 0;   // devices that pass all selectors
  // Free devices among the chosen; no value: not known.
  std::optional<engine::FreeDevices> free = {};
  std::vector<SelectorFacts> selectors = {};
  std::vector<SelectorFinding> findings = {};  // problems of the selectors
  // Changes to selectors that make the demand match, in a full explanation only. Selectors count
  // from the first one of the class.
  std::vector<engine::Suggestion> suggestions = {};
  // Conditions of all selectors together. Set where no device is chosen, or in a full explanation;
  // absent where the devices differ too much.
  std::optional<engine::ClauseTable> clauses = {};
};

// nullptr: the demand has no entry.
const DemandFacts* facts_of(std::span<const DemandFacts> all, const api::DeviceDemand& demand);

// A pod that holds devices which the subject could use.
struct HolderPod {
  std::string standing;           // "Running 60m"
  engine::WorkloadName workload;  // that creates it
  std::int64_t priority = 0;
};

// Whether a subject that does not fit would fit if no other claim held a device.
enum class When {
  Never,
  NotNow,   // it would fit
  NotHere,  // it would fit, but only on nodes that other filters reject
};
std::string_view name_of(When when);  // "never", "notNow", "notHere"
enum class WhyNever {
  NoNodeFits,
  WouldNotStart,  // nodes would fit, but give it a part of a TPU host
  HeldByOwn,      // by pods that work together with the subject, and wait for it
  HeldByOld,      // by the old pods of a rollout, which stay until the new one is ready
};
std::string_view name_of(WhyNever why);  // "noNodeFits", as in reports
struct Outlook {
  When when;
  std::int64_t nodes = 0;  // nodes on which it would fit, and start
  // Of NotHere: of these, nodes whose devices are free for it already.
  std::int64_t nodes_now = 0;
  WhyNever why = WhyNever::NoNodeFits;
  // Of WouldNotStart, on the first such node: the chips that it would get, and those of the host.
  std::int64_t chips = 0;
  std::int64_t of_host = 0;
  // Of NotNow: a claim, as namespace/name, if all holders keep their devices until someone acts.
  std::string held_for_good = {};
  // Of NotNow: a claim, as namespace/name, if the pods of all holders have ended.
  std::string held_by_ended = {};
  // Of HeldByOld: the Deployment.
  std::string deployment = {};
};

// Why a pod is known to end.
enum class EndsBy {
  Deletion,     // it is being deleted, and its grace ends
  PodDeadline,  // its own activeDeadlineSeconds
  JobDeadline,  // those of its Job
  NodeTaint,    // it tolerates a taint of its node for some seconds
  DeviceTaint,  // its claim tolerates a taint of a device for some seconds
};
std::string_view name_of(EndsBy by);  // "podDeadline", as in reports

struct Ending {
  const api::Pod* pod = nullptr;
  EndsBy by = EndsBy::Deletion;
  std::string_view cause = {};  // the Job, the node, or the key of the device's taint
  // Without the grace that it then has to end.
  base::Instant at = {};
};

enum class WhyNoEstimate {
  NothingEnds,    // no pod on a node is known to end
  TooLittleEnds,  // those that are leave too little free
};
std::string_view name_of(WhyNoEstimate why);  // "nothingEnds", as in reports

// When at the latest the subject fits, unless others come first.
struct Estimate {
  std::optional<Ending> last = {};      // the end that makes it fit; no value: not known
  std::int64_t ended = 0;               // pods, this one included
  std::vector<std::string> nodes = {};  // on which it then fits
  WhyNoEstimate why_none = WhyNoEstimate::NothingEnds;
};

// The scheduler's own message about the pod, from the PodScheduled condition or the newest event.
struct SchedulerWord {
  std::string message;
  std::string reason;
  std::optional<base::Instant> since;
  std::int64_t attempts = 0;  // failed ones, as its events count them; 0: not known
  // Agrees with the verdict; no value: the two cannot be compared.
  std::optional<bool> agrees = {};
  std::optional<std::int64_t> nodes = {};  // number of nodes that the message names
};

// A class that a claim names and that the snapshot does not have.
struct MissingClass {
  std::string_view name;
  std::string_view similar;  // the class with the most similar name; empty: none is similar
  // A driver that publishes devices and is of the vendor that the name is of; empty: none is.
  std::string_view relative;
};
struct ClassFacts {
  std::vector<const api::DeviceClass*> named = {};  // each once
  std::vector<MissingClass> missing = {};

  const api::DeviceClass* find(std::string_view name) const;      // nullptr: missing
  const MissingClass* find_missing(std::string_view name) const;  // nullptr: it is not missing
};

// Advice for a subject that fits nowhere: the parts of its request that conflict, and the changes
// that would let it fit.
struct Help {
  engine::ConflictsFound conflicts = {};
  engine::AdviceFound advice = {};
  // For each piece of advice, the facts of each of its changes.
  std::vector<std::vector<ChangeFacts>> advice_facts = {};
};

// A device that the user asked about, on each node that sees it and each node that the user named.
struct DeviceOnNode {
  std::size_t node;  // index into Explanation::nodes
  // One verdict for each demand of every claim; no value: the node does not see the device.
  std::optional<std::vector<engine::DeviceVerdict>> requests;
};
struct DeviceAnswer {
  std::string device;  // driver/pool/device
  std::vector<DeviceOnNode> nodes = {};
};

// Holds all that is presented; pointers and views are into the snapshot, which must outlive it.
struct Explanation {
  std::vector<SubjectName> subjects;      // at least one
  std::vector<DemandFacts> demands = {};  // demands of claims that are not allocated
  Verdict verdict = Verdict::Undetermined;
  // Reasons that block the subject before any node is checked, or that leave the verdict open.
  std::vector<diag::Reason> blockers = {};
  Headline headline;
  std::string cause;               // the cause alone; empty if there is none
  std::optional<diag::Code> code;  // code of the cause
  diag::Remedy remedy = {};        // against the cause; an empty text: its code says what to do
  std::string depends_on;          // what is not computed and leaves the verdict undetermined
  // Features of the pod that no filter simulates: "inter-pod affinity".
  std::vector<std::string> not_simulated = {};
  // Of a pod of a gang whose verdict the gang decides, or leaves open.
  std::optional<engine::Gang> gang = {};
  // Set in a full explanation where no node fits and the outlook is proven.
  std::optional<Outlook> outlook = {};
  // Set where the outlook is that waiting may help, and the time of the snapshot is known.
  std::optional<Estimate> estimate = {};
  // Changes of the hypothesis, which the snapshot already contains. The scheduler's message is
  // about the cluster without them.
  std::vector<engine::Change> what_if = {};
  std::vector<ChangeFacts> what_if_facts = {};
  // Set in a full explanation of a subject that certainly does not fit.
  std::optional<Help> help = {};
  // Likewise, of a pod, where the scheduler's preemption would make room, or does.
  std::optional<engine::Preemption> preemption = {};
  std::vector<CapacityWord> capacity_words = {};
  // Of a subject that does not fit: nodes that would have devices of a driver that it names.
  std::vector<KeptAway> kept_away = {};
  engine::Subject subject;
  std::optional<SchedulerWord> scheduler;
  // Known bugs of the scheduler's release that may keep it from placing the pod, in words.
  std::vector<std::string> scheduler_bugs = {};
  engine::Component its_scheduler = {};       // of a pod without a node
  engine::Component controller_manager = {};  // likewise: kube-controller-manager
  std::vector<engine::NodeResult> nodes;
  bool nodes_assumed = false;
  bool nodes_chosen = false;  // `nodes` are only the ones that the user named
  // The subject is one claim that is not allocated and that no pod uses, so it is never allocated.
  bool unused = false;
  // Indices into `nodes`; the nodes of one group have equal results apart from names.
  std::vector<std::vector<std::size_t>> groups;
  std::vector<DeviceAnswer> devices = {};  // in the order in which the user named them
  // Failures after scheduling, when the subject has devices.
  std::vector<engine::AfterFinding> after = {};
  bool cause_is_after = false;  // the headline is about after.front()
  ClassFacts classes = {};      // of the subject's claims
  // In a full explanation, the state of each claim that holds a device, by namespace/name.
  std::map<std::string, engine::HolderFacts, std::less<>> holders = {};
  std::map<std::string, HolderPod, std::less<>> holder_pods = {};  // likewise, of its pods
  snapshot::Server server = {};
  std::optional<base::Instant> time = {};        // of the snapshot's state
  std::optional<base::Instant> not_before = {};  // likewise, or a bound of it
  snapshot::Coverage coverage = {};

  // The subject has its devices, and a cause is known why it is not bound or does not run properly.
  bool fails_after() const;
  bool hypothetical() const;  // some claim comes from its template
  // nullptr: the demand is allocated already.
  const DemandFacts* facts_of(const api::DeviceDemand& demand) const;
};

// Restricts an explanation to nodes, or adds questions about devices.
struct Focus {
  // The snapshot is not the cluster as it is, so phase and age of the subject tell nothing.
  bool is_hypothesis = false;
  std::vector<std::string> nodes = {};         // only these nodes; empty: all
  std::vector<engine::DeviceId> devices = {};  // devices to explain one by one
  // Of a hypothesis without some nodes: the drivers that publish slices in the cluster as it is.
  std::vector<std::string> drivers_before = {};
};

Explanation explain_pod(const snapshot::Snapshot& snapshot, const api::Pod& pod,
                        const Focus& focus = {});
// Not a full explanation: verdict and causes, without conditions of selectors and values of
// devices. Used where many subjects are explained. The inventory and the loads must belong to the
// snapshot.
Explanation explain_pod(const snapshot::Snapshot& snapshot, const engine::Inventory& inventory,
                        const engine::NodeLoads& loads, const api::Pod& pod,
                        const Focus& focus = {});
// Adds to such an explanation of a pod the outlook and the advice of a full one; what is in
// conflict is not looked for.
void add_advice(const snapshot::Snapshot& snapshot, const engine::Inventory& inventory,
                const engine::NodeLoads& loads, Explanation& explanation);
Explanation explain_claims(const snapshot::Snapshot& snapshot, const std::string& ns,
                           const std::vector<std::string>& names, const Focus& focus = {});
Explanation explain_claims(const snapshot::Snapshot& snapshot, const engine::Inventory& inventory,
                           const engine::NodeLoads& loads, const std::string& ns,
                           const std::vector<std::string>& names);

}  // namespace dra::answers
