// src/engine/events.cpp: see events.h.

#include "dra/engine/events.h"

#include <algorithm>

namespace dra::engine {

bool is_about(const api::Event& event, std::string_view kind, const api::ObjectMeta& meta) {
  const api::ObjectReference& about = event.about;
  // The kubelet's events about its node have the node's name for a uid.
  const bool same_uid = about.uid.empty() || meta.uid.empty() || about.uid == meta.uid ||
                        (kind == "Node" && about.uid == meta.name);
  return same_uid && about.kind == kind && about.name == meta.name &&
         about.namespace_ == meta.namespace_;
}

const api::Event* newest_warning(const snapshot::Snapshot& snapshot, std::string_view kind,
                                 const api::ObjectMeta& about, std::string_view reason) {
  const api::Event* newest = nullptr;
  for (const api::Event& event : snapshot.all<api::Event>()) {
    if (event.type != "Warning" || !is_about(event, kind, about)) continue;
    if (!reason.empty() && event.reason != reason) continue;
    if (newest == nullptr || event.last_seen() >= newest->last_seen()) newest = &event;
  }
  return newest;
}

std::int64_t times_seen(const api::Event& event) {
  return std::max(event.series ? event.series->count : event.count, std::int64_t{1});
}

}  // namespace dra::engine
