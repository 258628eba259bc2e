// include/dra/engine/facts/change.h
//
// Changes that could give a subject its devices: to its requests, to the holders of devices, to the
// cluster. A change names objects, so it means the same in any snapshot of the cluster; a claim is
// named as by SubjectClaim::label(), a request as "req" or "req/sub".

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace dra::snapshot {
class Snapshot;
}

namespace dra::engine {

// The request asks for exactly this many devices, also where it asks for all now.
struct SetCount {
  std::string claim;
  std::string request;
  std::int64_t count = 1;

  friend bool operator==(const SetCount&, const SetCount&) = default;
};

// One of the selectors of a demand.
struct SelectorPlace {
  std::string claim;
  std::string request;
  bool of_class = false;
  std::size_t selector = 0;  // among those of the class or of the request

  friend bool operator==(const SelectorPlace&, const SelectorPlace&) = default;
};
// Drops a selector, or one of its conditions.
struct DropSelector {
  SelectorPlace place;
  // The condition's range in code points; none: the whole selector.
  std::optional<std::pair<std::uint32_t, std::uint32_t>> span = {};
  std::string text = {};  // the dropped condition or selector
  std::string left = {};  // the rest of the selector

  friend bool operator==(const DropSelector&, const DropSelector&) = default;
};
// A value in a selector and its replacement: "'Hopper'", "'Ampere'".
using ValueInstead = std::pair<std::string, std::string>;
struct EditSelector {
  SelectorPlace place;
  std::string expression;                 // the new selector
  std::vector<ValueInstead> values = {};  // the values that it changes
  bool more = false;                      // it changes more than these

  friend bool operator==(const EditSelector&, const EditSelector&) = default;
};

// Adds a toleration: to a request for taints of devices, or to the pod for taints of nodes.
struct Tolerate {
  std::string claim = {};    // empty: the pod tolerates
  std::string request = {};  // empty: every request of the claim
  std::string key;           // empty: every key
  std::string effect = {};   // empty: every effect

  friend bool operator==(const Tolerate&, const Tolerate&) = default;
};

struct DropConstraint {
  std::string claim;
  std::size_t constraint = 0;  // index
  std::string attribute = {};  // the one that it compares

  friend bool operator==(const DropConstraint&, const DropConstraint&) = default;
};

// Compares another attribute, which devices of a larger part of the node have in common.
struct RelaxConstraint {
  std::string claim;
  std::size_t constraint = 0;  // index
  std::string attribute = {};  // the one that it compares
  std::string instead;         // the one that it would compare

  friend bool operator==(const RelaxConstraint&, const RelaxConstraint&) = default;
};

// Makes parts of the requests that a constraint is about: of two GPUs and two NICs of one
// root two pairs, each of one root. The requests are the first part, the others are added behind
// all requests, each part with a constraint of its own behind all constraints.
struct SplitRequests {
  std::string claim;
  std::size_t constraint = 0;              // index
  std::string attribute = {};              // the one that it compares
  std::vector<std::string> requests = {};  // that it is about
  std::int64_t parts = 2;
  // Of a single request, the devices of each part, the most first; empty: an equal share each.
  std::vector<std::int64_t> counts = {};

  friend bool operator==(const SplitRequests&, const SplitRequests&) = default;
};
// The devices of a part, counted from 1, of a request that wants so many.
inline std::int64_t count_in_part(const SplitRequests& split, std::int64_t wanted,
                                  std::int64_t part) {
  return split.counts.empty() ? wanted / split.parts
                              : split.counts[static_cast<std::size_t>(part - 1)];
}
// The name of a request in a part, which is counted from 1: "gpu", "gpu-2".
inline std::string name_in_part(std::string_view request, std::int64_t part) {
  return part == 1 ? std::string(request) : std::string(request) + "-" + std::to_string(part);
}

// Keeps only this alternative of the request.
struct UseAlternative {
  std::string claim;
  std::string request;  // "req/sub"

  friend bool operator==(const UseAlternative&, const UseAlternative&) = default;
};

// Deletes pods, which frees the claims that only they have reserved; and deletes claims that no pod
// has reserved.
struct Release {
  std::vector<std::string> claims;  // namespace/name
  std::vector<std::string> pods;    // namespace/name

  friend bool operator==(const Release&, const Release&) = default;
};

// Adds nodes like an existing one, without its pods.
struct AddNode {
  std::string like;
  std::int64_t count = 1;

  friend bool operator==(const AddNode&, const AddNode&) = default;
};

// A node goes, with its slices and the pods on it. No pod is made again.
struct RemoveNode {
  std::string node;

  friend bool operator==(const RemoveNode&, const RemoveNode&) = default;
};

// All nodes and slices of other objects join, as they are there.
struct JoinNodes {
  std::string file;                // that they were read from
  std::vector<std::string> nodes;  // names
  std::shared_ptr<const snapshot::Snapshot> objects;

  friend bool operator==(const JoinNodes&, const JoinNodes&) = default;
};

// Nodes are cordoned, and what `kubectl drain` evicts of their pods waits again, or is gone: see
// drain.h.
struct Drain {
  std::vector<std::string> nodes;

  friend bool operator==(const Drain&, const Drain&) = default;
};

// The rest of a pool's slices is published.
struct Wait {
  std::string driver;
  std::string pool;

  friend bool operator==(const Wait&, const Wait&) = default;
};

// The pod accepts other nodes: by an entry of its nodeSelector, or by an expression of the only
// term of its required node affinity.
struct SelectNodes {
  std::string key;                             // of the label
  std::optional<std::size_t> expression = {};  // its index in the term; none: of nodeSelector
  std::string text = {};                       // the condition: "gpu=a100", "gpu in (a100)"
  // The value that the condition accepts: in place of its own, or, in an affinity, as well. None:
  // without the condition.
  std::optional<std::string> value = {};
  bool other_devices = false;  // these nodes have devices of other makes

  friend bool operator==(const SelectNodes&, const SelectNodes&) = default;
};

using Change = std::variant<SetCount, DropSelector, EditSelector, Tolerate, DropConstraint,
                            RelaxConstraint, SplitRequests, UseAlternative, SelectNodes, Release,
                            AddNode, Wait, RemoveNode, JoinNodes, Drain>;

}  // namespace dra::engine
