// tests/support/node_filters.h: what the filters of nodes have against them.

#pragma once

#include <string>
#include <vector>

#include "dra/base/text.h"
#include "dra/engine/scheduler/node_filters.h"
#include "tests/support/builders.h"

namespace dra::support {

// A line for each reason against a node of pod default/p, "a1: ...", with the words for it; reasons
// without words are left out. Then "open: ..." for what is not simulated.
template <class Words>
std::string against_all(const Scene& built, Words words) {
  const auto snapshot = built.build();
  const engine::NodeLoads loads(snapshot);
  const engine::NodeFilters filters(snapshot, loads, *snapshot.find<api::Pod>("default", "p"));
  std::vector<std::string> lines;
  for (const api::Node& node : snapshot.all<api::Node>()) {
    for (const diag::Reason& reason : filters.against(node)) {
      const std::string text = words(reason);
      if (!text.empty()) lines.push_back(base::format("{}: {}", node.meta.name, text));
    }
  }
  for (const std::string& part : filters.not_simulated())
    lines.push_back("open: " + part);
  return base::join(lines, "\n");
}

}  // namespace dra::support
