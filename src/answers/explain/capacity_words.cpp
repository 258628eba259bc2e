// src/answers/explain/capacity_words.cpp: recognizes each component by the reporter of an event,
// and keeps its newest event.

#include "dra/answers/explain/capacity_words.h"

#include <algorithm>
#include <array>

#include "dra/api/cluster_objects.h"
#include "dra/api/pod.h"
#include "dra/engine/cluster/events.h"

namespace dra::answers {
namespace {

struct Speaker {
  std::string_view who;                     // is a part of the reporter's name
  std::array<std::string_view, 4> reasons;  // reasons of events about more nodes; empty: all events
};
constexpr std::array kSpeakers = {
    Speaker{"cluster-autoscaler",
            {"FailedScaleUp", "FailedToScaleUpGroup", "NotTriggerScaleUp", "TriggeredScaleUp"}},
    Speaker{"karpenter", {}},
    Speaker{"kueue", {}},
};

bool speaks(const Speaker& speaker, const api::Event& event) {
  const bool is_it = event.source.component.find(speaker.who) != std::string_view::npos ||
                     event.reporter.find(speaker.who) != std::string_view::npos;
  const auto& reasons = speaker.reasons;
  return is_it &&
         (reasons.front().empty() || std::ranges::find(reasons, event.reason) != reasons.end());
}

}  // namespace

std::vector<CapacityWord> capacity_words(const snapshot::Snapshot& snapshot, const api::Pod& pod) {
  std::array<const api::Event*, kSpeakers.size()> newest = {};
  for (const api::Event* event : engine::events_of(snapshot, "Pod", pod.meta)) {
    for (std::size_t i = 0; i < kSpeakers.size(); ++i) {
      const bool newer = newest[i] == nullptr || event->last_seen() > newest[i]->last_seen();
      if (newer && speaks(kSpeakers[i], *event)) newest[i] = event;
    }
  }
  std::vector<CapacityWord> words;
  for (std::size_t i = 0; i < kSpeakers.size(); ++i) {
    if (newest[i] != nullptr)
      words.push_back(
          {std::string(kSpeakers[i].who), std::string(newest[i]->message), newest[i]->last_seen()});
  }
  return words;
}

}  // namespace dra::answers
