// src/answers/explain/shortage/counters_again.cpp: a device of which a user has all is in use, and
// not short of counters; so its user has a share of it, or the subject wants admin access.

#include "src/answers/explain/shortage/counters_again.h"

#include <algorithm>
#include <set>
#include <string>

#include "dra/base/text.h"
#include "dra/engine/facts/known_bugs.h"
#include "dra/engine/scheduler/pod_claims.h"

namespace dra::answers {
namespace {

using diag::Code;
using diag::Reason;

// As reasons name them.
std::set<std::string> used_devices(const engine::Usage& usage) {
  std::set<std::string> used;
  for (const engine::Holding& holding : usage.all()) {
    if (!holding.admin()) used.insert(engine::to_string(holding.id));
  }
  return used;
}

// The reason about counters of a device that is used already. nullptr: there is none.
const Reason* reason_against_used(const Grounds& grounds) {
  const std::set<std::string> used = used_devices(grounds.cluster.inventory.usage());
  const auto is_it = [&used](const Reason& reason) {
    return reason.code == Code::CountersShort && !reason.examples.empty() &&
           used.contains(reason.examples.front());
  };
  for (const engine::NodeResult& node : grounds.survey.nodes) {
    const auto reason = std::ranges::find_if(node.reasons, is_it);
    if (reason != node.reasons.end()) return &*reason;
  }
  return nullptr;
}

}  // namespace

void name_counter_bug(const Grounds& grounds, Candidate& cause) {
  if (cause.code != Code::CountersShort || !cause.remedy.text.empty()) return;
  const Reason* reason = reason_against_used(grounds);
  if (reason == nullptr) return;
  const api::DeviceDemand* demand = engine::UnmetDemands(grounds.subject).of(*reason);
  const auto bug = demand != nullptr && demand->admin_access ? engine::Bug::AdminAccessTakesCounters
                                                             : engine::Bug::CountersTakenAgain;
  const std::string words = engine::words_of(bug, grounds.cluster.snapshot.server());
  if (!words.empty()) cause.remedy.text = base::format("This is {}", words);
}

}  // namespace dra::answers
