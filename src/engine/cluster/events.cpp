// src/engine/cluster/events.cpp: see events.h.

#include "dra/engine/cluster/events.h"

#include <algorithm>

#include "dra/api/cluster_objects.h"

namespace dra::engine {

std::vector<const api::Event*> events_of(const snapshot::Snapshot& snapshot, std::string_view kind,
                                         const api::ObjectMeta& about) {
  std::vector<const api::Event*> events;
  for (const api::Event* event : snapshot.events_about(about.namespace_, about.name)) {
    const std::string_view uid = event->about.uid;
    // The kubelet's events about its node have the node's name for a uid.
    const bool same_uid = uid.empty() || about.uid.empty() || uid == about.uid ||
                          (kind == "Node" && uid == about.name);
    if (same_uid && event->about.kind == kind) events.push_back(event);
  }
  return events;
}

const api::Event* newest_warning(const snapshot::Snapshot& snapshot, std::string_view kind,
                                 const api::ObjectMeta& about, std::string_view reason) {
  const api::Event* newest = nullptr;
  for (const api::Event* event : events_of(snapshot, kind, about)) {
    if (event->type != "Warning") continue;
    if (!reason.empty() && event->reason != reason) continue;
    if (newest == nullptr || event->last_seen() >= newest->last_seen()) newest = event;
  }
  return newest;
}

std::int64_t times_seen(const api::Event& event) {
  return std::max(event.series ? event.series->count : event.count, std::int64_t{1});
}

}  // namespace dra::engine
