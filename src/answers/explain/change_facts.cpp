// src/answers/explain/change_facts.cpp: looks up nodes that others are added like, and the
// controllers of pods that go away.

#include "dra/answers/explain/change_facts.h"

#include <string_view>
#include <variant>

#include "dra/api/cluster_objects.h"
#include "dra/api/pod.h"
#include "dra/engine/cluster/workload_pods.h"

namespace dra::answers {
namespace {

struct FactsOfChange {
  const engine::Subject& subject;
  const snapshot::Snapshot& snapshot;

  ChangeFacts operator()(const engine::AddNode& change) const {
    const auto* like = snapshot.find<api::Node>(change.like);
    if (like == nullptr) return {};
    return {.node_pool = std::string(engine::node_pool_of(*like)),
            .priority = engine::priority_of(snapshot, *like)};
  }
  ChangeFacts operator()(const engine::Release& change) const {
    ChangeFacts facts;
    if (subject.pod == nullptr) return facts;
    for (const std::string& name : change.pods) {
      const std::string_view text = name;
      const std::size_t slash = text.find('/');
      const auto* pod = snapshot.find<api::Pod>(text.substr(0, slash), text.substr(slash + 1));
      const auto* controller =
          pod == nullptr ? nullptr : engine::common_controller(*subject.pod, *pod);
      if (controller == nullptr) continue;
      facts.own_controller = controller->kind;
      facts.own_pods.push_back(name);
    }
    return facts;
  }
  template <class Other>
  ChangeFacts operator()(const Other&) const {
    return {};
  }
};

}  // namespace

std::vector<ChangeFacts> facts_of(std::span<const engine::Change> changes,
                                  const engine::Subject& subject,
                                  const snapshot::Snapshot& snapshot) {
  std::vector<ChangeFacts> facts;
  for (const engine::Change& change : changes)
    facts.push_back(std::visit(FactsOfChange{subject, snapshot}, change));
  return facts;
}

}  // namespace dra::answers
