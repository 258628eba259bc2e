// include/dra/engine/cluster/events.h
//
// Events about an object: which belong to it, and which is the newest.

#pragma once

#include <string_view>
#include <vector>

#include "dra/api/meta.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

// The events about this very object, in the snapshot's order. Events about another object of the
// same name have another uid and do not count.
std::vector<const api::Event*> events_of(const snapshot::Snapshot& snapshot, std::string_view kind,
                                         const api::ObjectMeta& about);

// The newest Warning about this very object, with that reason unless `reason` is empty; nullptr:
// none.
const api::Event* newest_warning(const snapshot::Snapshot& snapshot, std::string_view kind,
                                 const api::ObjectMeta& about, std::string_view reason = {});

// How often the event occurred, from whichever field says so; at least once.
std::int64_t times_seen(const api::Event& event);

}  // namespace dra::engine
