// include/dra/engine/scheduler/node_result.h
//
// What the scheduler would decide about one node for a subject's claims, and why. On request the
// result also says what each driver publishes, what each demand would find if it were alone, who
// holds its devices, which are tainted or in unusable pools, and the reasons that rule the node
// out.
//
// The devices that a demand finds alone are an upper bound: other demands only take devices away.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/diag/reason.h"
#include "dra/engine/cluster/inventory.h"
#include "dra/engine/scheduler/allocate.h"
#include "dra/engine/scheduler/demands.h"
#include "dra/engine/scheduler/device_verdict.h"
#include "dra/engine/scheduler/node_filters.h"
#include "dra/engine/scheduler/pod_claims.h"
#include "dra/engine/scheduler/subject_variants.h"

namespace dra::engine {

// Devices that one driver publishes for a node. The kinds after `published` add up to it.
struct DriverCounts {
  std::string_view driver;
  std::int64_t published = 0;
  std::int64_t in_use = 0;
  std::int64_t blocked = 0;   // their siblings have taken the counters that they share
  std::int64_t tainted = 0;   // tainted, and no request of the subject tolerates it
  std::int64_t unusable = 0;  // in incomplete or invalid pools
  std::int64_t free = 0;      // free, or with capacity left for another share
  std::int64_t unknown = 0;   // their holders could not be read
};

// Devices of a node for one demand. A device counts as matching if the selectors are not known.
struct DemandResult {
  std::string claim;    // namespace/name
  std::string request;  // "req" or "req/sub"
  bool known = false;   // the selectors could be evaluated
  std::int64_t matching = 0;
  std::int64_t in_use = 0;  // subset of the matching
  std::int64_t usable = 0;  // subset of the matching
  // Devices for which a selector fails, among those that the allocator may reach.
  std::int64_t failing = 0;
  // The node's device plugin serves the demand, so DRA does not and nothing is counted.
  bool by_plugin = false;
};

// What the scheduler would do with a node, as far as the claims decide it.
enum class NodeOutcome {
  Unknown,             // the search hit its limit, or objects could not be read
  Fits,                // every claim is allocated for the node, or can be
  NeedsDeallocation,   // the PostFilter first has to deallocate a claim that other nodes have
  AllocatedElsewhere,  // a claim stays on other nodes; whether the rest would fit is not known
  DoesNotFit,
  Aborts,  // does not fit, and the scheduler gives up on the whole pod
};

struct NodeResult {
  std::string name;
  std::vector<DriverCounts> drivers;
  std::vector<DemandResult> demands;  // demands of claims that are not allocated
  std::vector<diag::Reason> reasons;  // all reasons that apply, the decisive ones first
  NodeOutcome outcome = NodeOutcome::Unknown;
  std::vector<PickedDevice> allocation = {};  // the picked devices, if these claims fit
  // Labels of claims that are allocated for other nodes and that the PostFilter can deallocate.
  std::vector<std::string> deallocatable = {};
  // Reasons of the scheduler's other filters. A node with such reasons does not count.
  std::vector<diag::Reason> other_reasons = {};

  bool fits() const { return outcome == NodeOutcome::Fits; }
  bool does_not_fit() const { return outcome == NodeOutcome::DoesNotFit || aborts(); }
  bool aborts() const { return outcome == NodeOutcome::Aborts; }
  // The node certainly cannot serve the claims, as things are.
  bool is_ruled_out() const { return does_not_fit() || outcome == NodeOutcome::AllocatedElsewhere; }

  bool passes_filters() const { return other_reasons.empty(); }
  // True if nothing keeps the pod from this node.
  bool is_feasible() const { return fits() && passes_filters(); }
  bool is_infeasible() const { return is_ruled_out() || !passes_filters(); }
  // The scheduler comes to this node, and gives up on the pod there.
  bool aborts_pod() const { return aborts() && passes_filters(); }
};

// The nodes on which a claim can be used after the allocation.
struct ClaimNodes {
  const SubjectClaim* claim;
  std::optional<api::NodeSelector> selector;  // none: all nodes
};
// The node selectors that the scheduler would write for the claims that are not allocated, if they
// fit. Texts point into the node result and the snapshot.
std::vector<ClaimNodes> claim_nodes(const snapshot::Server& server, const Subject& subject,
                                    const NodeResult& result);

// Inputs that are the same for every node.
struct NodeContext {
  const Inventory& inventory;
  const snapshot::Coverage& coverage;
  const Demands& demands;  // demands of the subject
  SearchBudget& budget;    // shared by all nodes
  // Filters of the subject's pod; nullptr without a pod or without real nodes.
  const NodeFilters* filters = nullptr;
};

class NodeSignatures;
struct SolvedNode;

// Evaluates nodes for one subject. Nodes that differ in names only are evaluated once.
class NodeEvaluator {
 public:
  // All arguments must outlive this object, and belong to the snapshot.
  NodeEvaluator(const snapshot::Snapshot& snapshot, const NodeContext& context,
                const Subject& subject, Depth depth = Depth::Reasons);
  ~NodeEvaluator();
  NodeResult evaluate(const api::Node& node);
  // The verdict on one device for each demand of every claim, in their order; no value: the node
  // does not see the device. `result` must be the result of evaluate() for this node.
  std::optional<std::vector<DeviceVerdict>> verdicts(const api::Node& node,
                                                     const NodeResult& result,
                                                     const DeviceId& device);

 private:
  NodeResult look_at(const api::Node& node, const SubjectVariant& variant);

  NodeContext context_;
  Depth depth_;
  const Subject& subject_;
  SubjectVariants variants_;
  std::unique_ptr<NodeSignatures> signatures_;
  // Cache by (requests left to DRA, node signature); nullptr: the result must not be reused.
  std::map<std::pair<const SubjectVariant*, std::vector<std::uint32_t>>,
           std::unique_ptr<SolvedNode>>
      solved_;
};

}  // namespace dra::engine
