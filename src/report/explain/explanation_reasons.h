// src/report/explain/explanation_reasons.h
//
// What speaks against a node, as far as its figures, the first line and the text above do not show
// it already.

#pragma once

#include <string>
#include <vector>

#include "dra/engine/scheduler/pod_claims.h"
#include "dra/report/explain/explanation.h"

namespace dra::report {

class NodeReasons {
 public:
  // The explanation must have nodes, and outlive this object.
  NodeReasons(const Explanation& explanation, bool wide);

  // Where the subject fits, reasons against other devices do not matter.
  std::vector<const diag::Reason*> against(const engine::NodeResult& node) const;
  // The sentences of one row of the table of nodes, each once. What lies at the figures of a
  // request is short: "gpu needs 3".
  std::vector<std::string> sentences(const engine::NodeResult& node) const;

 private:
  bool is_first_line(const diag::Reason& reason) const;
  bool is_shown(const diag::Reason& reason, const engine::NodeResult& node) const;
  std::string needs(const engine::DemandResult& demand) const;

  const Explanation& explanation_;
  bool wide_;
  engine::UnmetDemands asked_;
  // Of all nodes, and asked for each of them.
  bool shows_matches_;
  bool left_to_plugins_;
};

}  // namespace dra::report
