// tests/support/allocation.h
//
// What the allocator answers for claims of a scene on the node n1, as one line:
//
//   fits: a=gpu-0 b=gpu-1; c=gpu-2    request=device, claims apart; "(admin)", "(memory 10Gi)"
//   none: CountersShort               no solution, and each code that is against devices once
//   pool: ...                         the same, where there is an invalid pool
//   fatal: SelectorError              the error that ends it for the whole pod
//   budget, unknown

#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dra/base/text.h"
#include "dra/engine/scheduler/allocate.h"
#include "tests/support/builders.h"

namespace dra::support {

inline std::string to_line(const engine::PickedDevice& picked) {
  std::string line = base::format("{}={}", picked.request, picked.id().device);
  if (picked.admin_access) line += "(admin)";
  if (!picked.share) return line;
  std::vector<std::string> parts;
  parts.reserve(picked.consumed.size());
  for (const auto& [name, amount] : picked.consumed)
    parts.push_back(base::format("{} {}", name, amount.to_string()));
  return line + base::format("({})", base::join(parts, ", "));
}

inline std::string to_line(const engine::NodeAllocation& allocation) {
  using engine::Ending;
  std::string line = "unknown";
  switch (allocation.ending) {
    case Ending::Fits:
      line = "fits:";
      for (const engine::PickedDevice& picked : allocation.devices) {
        const bool first = &picked == allocation.devices.data();
        if (!first && picked.claim != (&picked - 1)->claim) line += ";";
        line += base::format(" {}", to_line(picked));
      }
      return line;
    case Ending::Fatal:
      return base::format("fatal: {}", diag::name_of(allocation.fatal->code));
    case Ending::Budget:
      return "budget";
    case Ending::Unknown:
      return line;
    case Ending::NoSolution:
      line = "none:";
      break;
    case Ending::PoolError:
      line = "pool:";
      break;
  }
  for (const diag::Reason& reason : allocation.reasons) {
    const std::string word = base::format(" {}", diag::name_of(reason.code));
    if (line.find(word) == std::string::npos) line += word;
  }
  return line;
}

struct Allocated {
  std::string line;
  std::vector<std::int64_t> usable;
  std::int64_t looked_at;
};

inline Allocated allocate(const snapshot::Snapshot& snapshot,
                          const std::vector<std::string>& claims,
                          engine::SearchBudget budget = {}) {
  const engine::Inventory inventory(snapshot);
  const engine::Subject subject = engine::subject_of_claims(snapshot, "default", claims);
  const engine::Demands demands(snapshot, inventory, subject);
  const engine::Allocator allocator(snapshot, inventory, demands, subject);
  const auto* node = snapshot.find<api::Node>("n1");
  REQUIRE(node != nullptr);
  const auto pools = inventory.slices().seen_from(*node);
  REQUIRE(pools.ok());
  const std::int64_t before = budget.all_nodes;
  const auto allocation = allocator.allocate(*node, pools.value(), budget);
  return {to_line(allocation), allocation.usable, before - budget.all_nodes};
}

struct AllocationCase {
  std::string name;
  Scene scene;
  std::string want;  // on n1
  std::vector<std::string> claims = {"c"};
};

inline void check(const AllocationCase& row) {
  CAPTURE(row.name);
  CHECK(allocate(row.scene.build(), row.claims).line == row.want);
}

// The node n1 with these in its pool n1.
inline Scene devices(std::string_view list) {
  return scene().node("n1").slice(
      {.name = "s", .pool = "n1", .where = "nodeName: n1", .devices = std::string(list)});
}

}  // namespace dra::support
