// include/dra/checks/rules/update_target.h
//
// The object that a manifest is an update of, as it is in a cluster.

#pragma once

#include <optional>
#include <string_view>

#include "dra/checks/fields/references.h"
#include "dra/json/value.h"
#include "dra/snapshot/snapshot.h"

namespace dra::checks {

struct UpdateTarget {
  json::Value object;  // in v1's shape, with defaults
  // It came from a server, so that the keys of a driver's parameters stand as they are stored.
  // Files were sorted by whoever wrote them.
  bool stored_order = false;
  // It came from a recording, which leaves parameters out: those that are empty may be any.
  bool parameters_left_out = false;
};

// No value if it is not among what was read of the cluster; of kinds without one the namespace does
// not matter.
std::optional<UpdateTarget> find_update_target(const snapshot::Snapshot& snapshot,
                                               const ObjectName& name);

}  // namespace dra::checks
