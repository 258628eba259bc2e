// include/dra/engine/facts/node_match.h
//
// Whether a node selector, of a slice, a device or an allocation, names a node. Terms are ORed, the
// requirements of a term ANDed; a term without requirements, and a selector without terms, match
// nothing. Upstream: k8s.io/component-helpers/scheduling/corev1/nodeaffinity, NodeSelector.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/api/cluster_objects.h"
#include "dra/api/types.h"
#include "dra/base/result.h"
#include "dra/base/selector.h"

namespace dra::engine {

// A selector that is read once, for many nodes. Views of the selector's texts are kept.
class NodeMatcher {
 public:
  explicit NodeMatcher(const api::NodeSelector& selector);

  // An error if the selector cannot be read: the scheduler then gives up on the whole pod.
  Result<bool> matches(const api::Node& node) const;

 private:
  struct Field {
    std::string_view key;
    std::string_view value;
    bool in = true;
  };
  struct Term {
    std::vector<base::Requirement> expressions;
    std::vector<Field> fields;
  };
  static Result<Term> read(const api::NodeSelectorTerm& term);

  std::vector<Term> terms_;  // without empty ones
  std::optional<Error> error_;
};

// NodeMatcher::matches(), for one node.
Result<bool> matches(const api::NodeSelector& selector, const api::Node& node);

// The node that a selector names by metadata.name alone, the form in which the scheduler writes it
// for devices of one node; empty for any other form.
std::string_view only_node(const api::NodeSelector& selector);

// A short text for lists: the node, or "rack in (rack-1)".
std::string describe(const api::NodeSelector& selector);

}  // namespace dra::engine
