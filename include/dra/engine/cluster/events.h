// include/dra/engine/cluster/events.h
//
// Events about an object: whose they are, and which is the newest.

#pragma once

#include <string_view>
#include <vector>

#include "dra/snapshot/snapshot.h"

namespace dra::engine {

// Those about this very object, in the order of the snapshot's. Another object of the same name,
// which has another uid, is not meant.
std::vector<const api::Event*> events_of(const snapshot::Snapshot& snapshot, std::string_view kind,
                                         const api::ObjectMeta& about);

// The newest Warning event about this very object, of that reason unless it is empty; nullptr
// without one.
const api::Event* newest_warning(const snapshot::Snapshot& snapshot, std::string_view kind,
                                 const api::ObjectMeta& about, std::string_view reason = {});

// How often it was seen, whichever of the fields says so; at least once.
std::int64_t times_seen(const api::Event& event);

}  // namespace dra::engine
