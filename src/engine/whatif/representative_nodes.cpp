// src/engine/whatif/representative_nodes.cpp: see representative_nodes.h.

#include "src/engine/whatif/representative_nodes.h"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

#include "dra/base/text.h"

namespace dra::engine {
namespace {

// The kind of a node: its figures and codes, without names.
std::string kind_of(const NodeResult& node) {
  std::string kind = node.aborts() ? "aborts" : node.fits() ? "fits" : "no";
  for (const DriverCounts& driver : node.drivers) {
    kind += base::format("|{} {} {} {} {} {}", driver.driver, driver.published, driver.in_use,
                         driver.blocked, driver.tainted, driver.unusable);
  }
  for (const DemandResult& demand : node.demands)
    kind += base::format("|{} {} {}", demand.matching, demand.usable, demand.by_plugin);
  for (const auto* reasons : {&node.reasons, &node.other_reasons}) {
    kind += "|";
    for (const diag::Reason& reason : *reasons)
      kind += base::format(" {}", diag::name_of(reason.code));
  }
  for (const diag::Reason& reason : node.other_reasons)
    kind += reason.message;
  return kind;
}

// Larger is nearer: nodes where every demand matches something, then nodes with more usable
// devices.
auto nearness(const NodeResult& node) {
  const bool all_match =
      !node.demands.empty() && std::ranges::all_of(node.demands, [](const DemandResult& demand) {
        return demand.matching > 0;
      });
  std::int64_t usable = 0;
  for (const DemandResult& demand : node.demands)
    usable += demand.usable;
  return std::tuple(node.aborts_pod(), node.passes_filters(), all_match, usable);
}

}  // namespace

std::vector<std::size_t> representative_nodes(std::span<const NodeResult> nodes, std::size_t most) {
  std::vector<std::size_t> order(nodes.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&nodes](std::size_t i) { return nearness(nodes[i]); });
  std::set<std::string> kinds;
  std::vector<std::size_t> sample;
  std::vector<std::size_t> more;  // of kinds that are in the sample
  for (const std::size_t i : order) {
    if (sample.size() == most) return sample;
    (kinds.insert(kind_of(nodes[i])).second ? sample : more).push_back(i);
  }
  const std::size_t room = std::min(most - sample.size(), more.size());
  sample.insert(sample.end(), more.begin(), more.begin() + static_cast<std::ptrdiff_t>(room));
  return sample;
}

}  // namespace dra::engine
