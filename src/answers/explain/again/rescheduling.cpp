// src/answers/explain/again/rescheduling.cpp: asks for each pod's own node first, and explains the
// pods that it does not fit.

#include "dra/answers/explain/rescheduling.h"

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

#include "dra/answers/explain/explanation.h"
#include "dra/base/text.h"
#include "dra/engine/whatif/hypothesis.h"
#include "dra/engine/whatif/rescheduling.h"
#include "dra/snapshot/draft.h"

namespace dra::answers {
namespace {

using engine::Hypothesis;

// An explanation computes every node, so their number is limited.
constexpr std::size_t kMostExplained = 200;

using Pods = std::vector<const api::Pod*>;

engine::Wanted wanted_of(const api::Pod& pod) {
  return {.namespace_ = std::string(pod.meta.namespace_),
          .pod = std::string(pod.meta.name),
          .claims = {}};
}

// Why the pod does not go back to its node.
std::string words_for_own_node(const Explanation& explanation, const api::Pod& pod) {
  const auto own =
      std::ranges::find(explanation.nodes, pod.spec.node_name, &engine::NodeResult::name);
  if (own == explanation.nodes.end()) return base::format("node {} is gone", pod.spec.node_name);
  const auto& reasons = own->passes_filters() ? own->reasons : own->other_reasons;
  return reasons.empty() ? std::string() : reasons.front().message;
}

// What the explanation of the pod, taken for one that waits, comes to.
RescheduledPod result_of(const Explanation& explanation, const api::Pod& pod) {
  RescheduledPod result{.pod = &pod, .next = NextNode::None, .cause = explanation.cause};
  result.code = explanation.code;
  if (explanation.verdict == Verdict::Undetermined) {
    result.next = NextNode::Open;
    if (!explanation.depends_on.empty())
      result.cause = base::format("it depends on {}", explanation.depends_on);
  }
  if (explanation.verdict != Verdict::Fits || explanation.cause_is_after) return result;
  for (const engine::NodeResult& node : explanation.nodes) {
    if (node.is_feasible()) result.nodes.push_back(node.name);
  }
  const bool same = std::ranges::find(result.nodes, pod.spec.node_name) != result.nodes.end();
  result.next = same ? NextNode::Same : NextNode::Other;
  result.code = {};
  result.cause = same ? std::string() : words_for_own_node(explanation, pod);
  if (same) result.nodes.clear();
  std::ranges::sort(result.nodes);
  return result;
}

// A state, and the changes that are made in it once a pod waits.
class Rescheduler {
 public:
  // `changed`: the state with the changes, while all pods are where they are.
  Rescheduler(const snapshot::Snapshot& state, std::span<const engine::Change> changes,
              const snapshot::Snapshot& changed)
      : state_(state), changes_(changes), changed_(changed) {}

  // The pods must be of the state.
  Result<std::vector<RescheduledPod>> find(const Pods& pods, Pods& not_looked_at) {
    Pods there;  // as the changed state has them; nullptr: gone with its node
    there.reserve(pods.size());
    for (const api::Pod* pod : pods)
      there.push_back(changed_.find<api::Pod>(pod->meta.namespace_, pod->meta.name));
    const std::vector<bool> fit = engine::fit_where_they_are(changed_, there);
    std::vector<RescheduledPod> found;
    for (std::size_t i = 0; i < pods.size(); ++i) {
      if (!fit[i] && explained_ == kMostExplained) {
        not_looked_at.push_back(pods[i]);
        continue;
      }
      found.push_back(fit[i] ? RescheduledPod{.pod = pods[i]} : DRA_TRY(explained(*pods[i])));
    }
    return found;
  }

 private:
  Result<RescheduledPod> explained(const api::Pod& pod) {
    ++explained_;
    Hypothesis waiting(state_, wanted_of(pod));
    waiting.make_pending();
    DRA_TRY(waiting.apply(changes_));
    const snapshot::Snapshot state = waiting.snapshot();
    const auto* there = state.find<api::Pod>(pod.meta.namespace_, pod.meta.name);
    const engine::Inventory inventory(state);
    const engine::NodeLoads loads(state);
    return result_of(explain_pod(state, inventory, loads, *there, {.is_hypothesis = true}), pod);
  }

  const snapshot::Snapshot& state_;
  std::span<const engine::Change> changes_;
  const snapshot::Snapshot& changed_;
  std::size_t explained_ = 0;
};

// Pods that are asked to go, rather than to find another node.
void drop_ended(std::span<const engine::Change> changes, Pods& pods) {
  std::set<std::string> ended;
  for (const engine::Change& change : changes) {
    if (const auto* release = std::get_if<engine::Release>(&change))
      ended.insert(release->pods.begin(), release->pods.end());
  }
  std::erase_if(pods, [&ended](const api::Pod* pod) {
    return ended.contains(base::format("{}/{}", pod->meta.namespace_, pod->meta.name));
  });
}

Result<Done> compare_with(const snapshot::Snapshot& before, std::vector<RescheduledPod>& pods) {
  Pods kept_out;
  for (const RescheduledPod& one : pods) {
    if (one.next != NextNode::Same) kept_out.push_back(one.pod);
  }
  Pods not_looked_at;
  const auto without = DRA_TRY(Rescheduler(before, {}, before).find(kept_out, not_looked_at));
  for (const RescheduledPod& then : without) {
    const auto now = std::ranges::find(pods, then.pod, &RescheduledPod::pod);
    now->also_without = now->next == then.next;
  }
  return Done{};
}

snapshot::Snapshot run_by(const snapshot::Snapshot& snapshot, const snapshot::Server& server) {
  snapshot::Draft draft(snapshot);
  draft.set_server(server);
  return std::move(draft).finish();
}

}  // namespace

std::string_view name_of(NextNode next) {
  switch (next) {
    case NextNode::Same:
      return "Same";
    case NextNode::Other:
      return "Other";
    case NextNode::None:
      return "None";
    case NextNode::Open:
      break;
  }
  return "Open";
}

std::size_t Rescheduling::count(NextNode next) const {
  return static_cast<std::size_t>(std::ranges::count(pods, next, &RescheduledPod::next));
}

std::string Rescheduling::unknown() const {
  for (const api::Kind kind : {api::Kind::Pod, api::Kind::Claim}) {
    const snapshot::Missing* missing = coverage.find(kind);
    const bool seen = namespace_.empty() ? coverage.saw(kind) : coverage.saw(kind, namespace_);
    if (pods.empty() && !seen && missing != nullptr) return cannot_be_read(*missing);
  }
  return {};
}

Result<Rescheduling> rescheduling(const snapshot::Snapshot& snapshot, std::string_view ns,
                                  std::span<const engine::Change> changes,
                                  const snapshot::Server& server) {
  Rescheduling all{.namespace_ = std::string(ns),
                   .what_if = {changes.begin(), changes.end()},
                   .coverage = snapshot.coverage()};
  if (server.version != snapshot.server().version) {
    all.release_before = snapshot.server().version;
    all.release = server.version;
  }
  // Flags come last, behind the gates that are known of the release.
  const auto& own = snapshot.server().gates;
  for (std::size_t i = all.release.empty() ? own.size() : 0; i < server.gates.size(); ++i) {
    const auto& [gate, on] = server.gates[i];
    all.gates.push_back(base::format("{}={}", gate, on ? "true" : "false"));
  }
  Pods pods = engine::pods_with_devices(snapshot, {});
  const std::size_t everywhere = pods.size();
  if (!ns.empty())
    std::erase_if(pods, [ns](const api::Pod* pod) { return pod->meta.namespace_ != ns; });
  all.elsewhere = everywhere - pods.size();
  drop_ended(changes, pods);
  const snapshot::Snapshot state = run_by(snapshot, server);  // it shares the pods
  Hypothesis supposed(state, {});
  DRA_TRY(supposed.apply(changes));
  all.state = std::make_shared<const snapshot::Snapshot>(supposed.snapshot());
  all.what_if_facts = facts_of(changes, engine::resolve(*all.state, {}), *all.state);
  all.pods = DRA_TRY(Rescheduler(state, changes, *all.state).find(pods, all.not_looked_at));
  if (all.supposes()) DRA_TRY(compare_with(snapshot, all.pods));
  return all;
}

}  // namespace dra::answers
