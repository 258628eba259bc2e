// src/report/explain/explanation_help.cpp: see explanation_help.h.

#include "src/report/explain/explanation_help.h"

#include <algorithm>
#include <array>

#include "dra/engine/cluster/events.h"

namespace dra::report {
namespace {

struct Speaker {
  std::string_view who;                     // also a part of the name of whoever reports the event
  std::array<std::string_view, 3> reasons;  // of events that are about more nodes; none: all
};
constexpr std::array kSpeakers = {
    Speaker{"cluster-autoscaler",
            {"NotTriggerScaleUp", "TriggeredScaleUp", "FailedToScaleUpGroup"}},
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

engine::Wanted wanted_of(const Explanation& explanation) {
  const SubjectName& first = explanation.subjects.front();
  engine::Wanted wanted{.namespace_ = first.namespace_, .pod = {}, .claims = {}};
  if (explanation.subject.pod != nullptr) {
    wanted.pod = first.name;
    return wanted;
  }
  for (const SubjectName& subject : explanation.subjects)
    wanted.claims.push_back(subject.name);
  return wanted;
}

std::optional<Help> help_of(const snapshot::Snapshot& snapshot, const engine::Inventory& inventory,
                            const engine::NodeLoads& loads, const Explanation& explanation) {
  if (explanation.verdict != Verdict::DoesNotFit || explanation.nodes.empty()) return std::nullopt;
  const engine::Wanted wanted = wanted_of(explanation);
  const api::Pod* pod = explanation.subject.pod;
  // A pod that only its template knows is not in the snapshot.
  if (pod != nullptr && snapshot.find<api::Pod>(wanted.namespace_, wanted.pod) != pod)
    return std::nullopt;
  const engine::TrialGround ground(snapshot, inventory, loads);
  if (ground.nodes().nodes.size() != explanation.nodes.size()) return std::nullopt;
  return Help{.conflicts = engine::conflicts_of(ground, wanted, explanation.nodes),
              .advice = engine::advice_for(ground, wanted, explanation.nodes)};
}

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

}  // namespace dra::report
