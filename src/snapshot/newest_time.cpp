// src/snapshot/newest_time.cpp: see newest_time.h.

#include "src/snapshot/newest_time.h"

#include <algorithm>

#include "dra/api/claim.h"
#include "dra/api/cluster_objects.h"
#include "dra/api/pod.h"
#include "dra/api/slice.h"

namespace dra::snapshot {
namespace {

class Newest {
 public:
  void see(const api::Time& time) {
    if (time) newest_ = std::max(newest_.value_or(*time), *time);
  }
  void see(const std::vector<api::Condition>& conditions) {
    for (const api::Condition& condition : conditions)
      see(condition.changed);
  }
  void see(const api::ContainerState& state) {
    if (state.running) see(state.running->started);
    if (state.terminated) see(state.terminated->finished);
  }
  void see(const std::vector<api::ContainerStatus>& containers) {
    for (const api::ContainerStatus& container : containers) {
      see(container.state);
      see(container.last);
    }
  }
  template <class T>
  void see_created(const std::vector<T>& objects) {
    for (const T& object : objects)
      see(object.meta.created);
  }

  const std::optional<base::Instant>& time() const { return newest_; }

 private:
  std::optional<base::Instant> newest_;
};

}  // namespace

std::optional<base::Instant> newest_time(const Snapshot& snapshot) {
  Newest newest;
  newest.see_created(snapshot.all<api::Pod>());
  newest.see_created(snapshot.all<api::Node>());
  newest.see_created(snapshot.all<api::ResourceClaim>());
  newest.see_created(snapshot.all<api::ResourceSlice>());
  for (const api::Pod& pod : snapshot.all<api::Pod>()) {
    newest.see(pod.status.conditions);
    newest.see(pod.status.containers);
    newest.see(pod.status.init_containers);
  }
  for (const api::Node& node : snapshot.all<api::Node>())
    newest.see(node.status.conditions);
  for (const api::Event& event : snapshot.all<api::Event>())
    newest.see(event.last_seen());
  return newest.time();
}

}  // namespace dra::snapshot
