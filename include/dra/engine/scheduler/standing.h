// include/dra/engine/scheduler/standing.h
//
// How a node stands towards a subject's claims: what the allocator does there; and for whoever
// wants to know why, what each driver publishes, what each demand would find if it were alone, who
// holds it, what is tainted or in a pool that cannot be used, and the reasons that rule the node
// out.
//
// What a demand finds alone is a bound: other demands only ever take devices away.

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
#include "dra/engine/scheduler/subject_on_node.h"

namespace dra::engine {

// Devices that one driver publishes for a node. The five kinds add up to `published`.
struct DriverStanding {
  std::string_view driver;
  std::int64_t published = 0;
  std::int64_t in_use = 0;
  std::int64_t tainted = 0;   // not tolerated by any request of the subject
  std::int64_t unusable = 0;  // in incomplete or invalid pools
  std::int64_t free = 0;      // or with room for another share
  std::int64_t unknown = 0;   // who holds them could not be read
};

// What a node has for one demand. What is not known of selectors counts as matching.
struct DemandStanding {
  std::string claim;    // namespace/name
  std::string request;  // "req" or "req/sub"
  bool known = false;   // what the selectors say
  std::int64_t matching = 0;
  std::int64_t in_use = 0;  // of the matching
  std::int64_t usable = 0;  // of the matching
  // Devices for which a selector fails, of those that the allocator may come to.
  std::int64_t failing = 0;
  // The node's device plugin serves it, and DRA is not asked: nothing is counted.
  bool by_plugin = false;
};

struct NodeStanding {
  std::string name;
  std::vector<DriverStanding> drivers;
  std::vector<DemandStanding> demands;  // of claims that are not allocated
  std::vector<diag::Reason> reasons;    // all that apply, the deciding ones first
  // Whether the allocator allocates here what is not allocated yet. No value: that is not known.
  std::optional<bool> fits = {};
  std::vector<PickedDevice> allocation = {};  // where it fits
  bool ruled_out = false;                     // the claims can certainly not be had here
  // Claims that are allocated for other nodes, and that the scheduler can take back; by their
  // labels.
  std::vector<std::string> deallocatable = {};
  bool aborts = false;  // and the scheduler gives up on the whole pod
  // Why the scheduler's other filters reject the node; then it does not count.
  std::vector<diag::Reason> other_reasons = {};

  bool passes() const { return other_reasons.empty(); }
  // Nothing keeps the pod from this node.
  bool open() const { return passes() && fits.value_or(false); }
};

// On which nodes a claim can be used once the allocation is its.
struct ClaimNodes {
  const SubjectClaim* claim;
  std::optional<api::NodeSelector> selector;  // none: on all
};
// What the scheduler would write for each claim that is still to be allocated, where they fit.
// Texts in it are the standing's and the snapshot's.
std::vector<ClaimNodes> claim_nodes(const snapshot::Server& server, const Subject& subject,
                                    const NodeStanding& standing);

// What is the same for every node.
struct Surroundings {
  const Inventory& inventory;
  const snapshot::Coverage& coverage;
  const Demands& demands;                // of the subject
  SearchBudget& budget;                  // for all nodes
  const NodeFilters* filters = nullptr;  // of the subject's pod, if it has one and nodes are real
};

class NodeSignatures;
struct SolvedNode;

// Looks at the nodes for one subject. Nodes that differ in names only are looked at once.
class Standings {
 public:
  // All must outlive this object; the snapshot is what all else is of.
  Standings(const snapshot::Snapshot& snapshot, const Surroundings& surroundings,
            const Subject& subject, Depth depth = Depth::Reasons);
  ~Standings();
  NodeStanding of(const api::Node& node);
  // How the device stands there towards each demand of every claim, in their order; no value where
  // the node does not see it. `standing` is what of() says of the node.
  std::optional<std::vector<DeviceVerdict>> verdicts(const api::Node& node,
                                                     const NodeStanding& standing,
                                                     const DeviceId& device);

 private:
  NodeStanding look_at(const api::Node& node, const SubjectOnNode::Here& here);

  Surroundings surroundings_;
  Depth depth_;
  const Subject& subject_;
  SubjectOnNode on_nodes_;
  std::unique_ptr<NodeSignatures> signatures_;
  // By what is left to DRA, and the node's signature; nullptr: not to be told of another.
  std::map<std::pair<const SubjectOnNode::Here*, std::vector<std::uint32_t>>,
           std::unique_ptr<SolvedNode>>
      solved_;
};

}  // namespace dra::engine
