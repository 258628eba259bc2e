// src/engine/cluster/unready.cpp: the containers are asked first, then the conditions, then events.

#include "dra/engine/cluster/unready.h"

#include "dra/api/cluster_objects.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/events.h"
#include "dra/engine/cluster/pods.h"

namespace dra::engine {

std::string why_not_ready(const snapshot::Snapshot& snapshot, const api::Pod& pod) {
  for (const auto* statuses : {&pod.status.init_containers, &pod.status.containers}) {
    for (const api::ContainerStatus& container : *statuses) {
      const auto& last = container.last.terminated;
      if (last && !last->message.empty()) return std::string(last->message);
      if (container.state.waiting && !container.state.waiting->message.empty())
        return std::string(container.state.waiting->message);
    }
  }
  const api::Condition* scheduled = api::condition_of(pod.status.conditions, "PodScheduled");
  if (scheduled != nullptr && scheduled->status == "False") return std::string(scheduled->message);
  const api::Event* event = newest_warning(snapshot, "Pod", pod.meta);
  return event == nullptr ? std::string() : std::string(event->message);
}

// The kubelet's words for a wait say nothing of the cause.
std::string unready_in_words(const snapshot::Snapshot& snapshot, const api::Pod& pod) {
  std::string words = trouble_in_words(pod);
  if (words.find(": back-off ") != std::string::npos) words = container_state(pod);
  if (words != container_state(pod) || words.starts_with("CrashLoopBackOff")) return words;
  std::string why{base::trim(why_not_ready(snapshot, pod))};
  if (why.ends_with('.')) why.pop_back();
  if (why.empty() || why.starts_with("back-off ")) return words;
  return base::format("{}: {}", words, why);
}

}  // namespace dra::engine
