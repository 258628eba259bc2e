// include/dra/checks/rules/update_target.h
//
// The object in a cluster that a manifest updates.

#pragma once

#include <optional>
#include <string_view>

#include "dra/checks/fields/references.h"
#include "dra/json/value.h"
#include "dra/snapshot/snapshot.h"

namespace dra::checks {

struct UpdateTarget {
  json::Value object;  // in v1's shape, with defaults
  // The object comes from a server, which keeps the order of keys in parameters. In files the keys
  // may have been sorted.
  bool stored_order = false;
  // The object comes from a recording, which leaves parameters out: empty ones may have been
  // anything.
  bool parameters_left_out = false;
};

// No value if the snapshot does not have it. The namespace of cluster-scoped kinds is ignored.
std::optional<UpdateTarget> find_update_target(const snapshot::Snapshot& snapshot,
                                               const ObjectName& name);

}  // namespace dra::checks
