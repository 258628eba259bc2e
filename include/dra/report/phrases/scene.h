// include/dra/report/phrases/scene.h
//
// A cluster as reports look at it: its state, what was computed from it once, and the clock.

#pragma once

#include <string>

#include "dra/base/time.h"
#include "dra/engine/cluster/inventory.h"
#include "dra/engine/selectors/selection.h"
#include "dra/snapshot/snapshot.h"

namespace dra::report {

struct Scene {
  const snapshot::Snapshot& snapshot;
  const engine::Inventory& inventory;  // of that snapshot
  base::Instant now = {};              // the clock of ages
  bool show_events = true;             // of the snapshot's, those about the object
  // " --demo": what every further command needs to ask about the same state, quoted for a shell.
  std::string flags = {};
  // What selectors say of the inventory; without them what they match is not said.
  engine::Answers* answers = nullptr;
};

}  // namespace dra::report
