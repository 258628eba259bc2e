// src/snapshot/newest_time.h

#pragma once

#include <optional>

#include "dra/base/time.h"
#include "dra/snapshot/snapshot.h"

namespace dra::snapshot {

// The newest time at which something happened, by what the objects say: a pod or a node changed, a
// container started or ended, an event was seen. A time that is planned, as that of a deletion,
// does not count. No value: none names a time.
std::optional<base::Instant> newest_time(const Snapshot& snapshot);

}  // namespace dra::snapshot
