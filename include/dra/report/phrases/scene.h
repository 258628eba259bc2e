// include/dra/report/phrases/scene.h
//
// The input of reports: the state of a cluster, the inventory computed from it, and the clock.

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
  base::Instant now = {};              // the time that ages are relative to
  bool show_events = true;             // that are about the object
  // " --demo": the flags that proposed commands need to read the same state, quoted for a shell.
  std::string flags = {};
  // The answers of selectors for the inventory. nullptr: reports do not say what selectors match.
  engine::Answers* answers = nullptr;
};

}  // namespace dra::report
