// src/answers/explain/scheduler_word.cpp: reads the PodScheduled condition, and without one the
// newest FailedScheduling event.

#include "src/answers/explain/scheduler_word.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "dra/answers/explain/capacity_words.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/events.h"

namespace dra::answers {
namespace {

// The newest FailedScheduling event. nullptr: there is none.
const api::Event* newest_failure(const snapshot::Snapshot& snapshot, const api::Pod& pod) {
  const api::Event* newest = nullptr;
  for (const api::Event* event : engine::events_of(snapshot, "Pod", pod.meta)) {
    // Karpenter writes events of that reason, too.
    if (event->reason != "FailedScheduling" || is_about_capacity(*event)) continue;
    if (newest == nullptr || event->last_seen() > newest->last_seen()) newest = event;
  }
  return newest;
}

std::int64_t attempts_of(const api::Event* failure) {
  if (failure == nullptr) return 0;
  const std::int64_t counted = failure->series ? failure->series->count : failure->count;
  return std::max<std::int64_t>(counted, 1);
}

std::optional<SchedulerWord> word_of_condition(const api::Pod& pod) {
  for (const api::Condition& condition : pod.status.conditions) {
    if (condition.type != "PodScheduled" || condition.status != "False") continue;
    if (condition.message.empty() && condition.reason.empty()) continue;
    return SchedulerWord{.message = std::string(condition.message),
                         .reason = std::string(condition.reason),
                         .since = condition.changed};
  }
  return std::nullopt;
}

std::optional<SchedulerWord> word_of_event(const api::Event* failure) {
  if (failure == nullptr) return std::nullopt;
  return SchedulerWord{.message = std::string(failure->message),
                       .reason = std::string(failure->reason),
                       .since = failure->first ? failure->first : failure->at};
}

// 3 for "0/3 nodes are available: ..."; no value for other messages.
std::optional<std::int64_t> nodes_counted(std::string_view message) {
  const std::size_t slash = message.find('/');
  const std::size_t words = message.find(" nodes are available");
  if (slash == std::string_view::npos || words == std::string_view::npos || words < slash)
    return std::nullopt;
  const std::string_view digits = message.substr(slash + 1, words - slash - 1);
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return count;
}

// What keeps a pod from nodes: its claims, or the filters that come before them.
struct Against {
  bool claims = false;
  bool filters = false;

  bool any() const { return claims || filters; }
  friend bool operator==(const Against&, const Against&) = default;
};

// Of "0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 cannot allocate all claims."
// Nothing of a message that is about the pod alone. Upstream: k8s.io/kubernetes/pkg/scheduler/
// framework, FitError.Error; plugins/dynamicresources, Filter.
Against told(std::string_view message) {
  constexpr std::string_view counted = " nodes are available: ";
  Against against;
  const std::size_t at = message.find(counted);
  if (at == std::string_view::npos) return against;
  message.remove_prefix(at + counted.size());
  message = message.substr(0, message.find(". "));
  for (std::string_view part : base::split(message, ',')) {
    part = base::trim(part);
    const std::size_t digits = part.find_first_not_of("0123456789");
    if (digits == 0 || digits == std::string_view::npos || part[digits] != ' ') continue;
    const bool of_claims = part.find("all claims") != std::string_view::npos ||
                           part.find(" resourceclaim ") != std::string_view::npos ||
                           part.find("DynamicResources") != std::string_view::npos;
    (of_claims ? against.claims : against.filters) = true;
  }
  return against;
}

// A node that another filter rejects does not come to the claims.
Against found(std::span<const engine::NodeResult> nodes) {
  Against against;
  for (const engine::NodeResult& node : nodes) {
    if (!node.passes_filters()) {
      against.filters = true;
    } else if (node.is_ruled_out()) {
      against.claims = true;
    }
  }
  return against;
}

// No value if the message is about another number of nodes or names a part of the causes, or the
// scheduler ran out of time and did not decide.
std::optional<bool> agrees(const SchedulerWord& word, Verdict verdict,
                           std::span<const engine::NodeResult> nodes) {
  const auto count = static_cast<std::int64_t>(nodes.size());
  if (verdict == Verdict::Fits) return false;  // the scheduler may not have tried again since
  if (word.message.find("timed out trying") != std::string::npos) return std::nullopt;
  const bool stands = verdict == Verdict::Blocked || verdict == Verdict::DoesNotFit;
  if (!stands || word.nodes.value_or(count) != count) return std::nullopt;
  const Against said = told(word.message);
  if (!said.any()) return true;
  if (verdict == Verdict::Blocked) return std::nullopt;
  const Against ours = found(nodes);
  if (said == ours || !ours.any()) return true;
  const bool shared = (said.claims && ours.claims) || (said.filters && ours.filters);
  return shared ? std::nullopt : std::optional(false);
}

}  // namespace

std::optional<SchedulerWord> scheduler_word(const snapshot::Snapshot& snapshot, const api::Pod& pod,
                                            Verdict verdict,
                                            std::span<const engine::NodeResult> nodes) {
  const api::Event* failure = newest_failure(snapshot, pod);
  auto word = word_of_condition(pod);
  if (!word) word = word_of_event(failure);
  if (!word) return std::nullopt;
  word->attempts = attempts_of(failure);
  word->nodes = nodes_counted(word->message);
  word->agrees = agrees(*word, verdict, nodes);
  return word;
}

}  // namespace dra::answers
