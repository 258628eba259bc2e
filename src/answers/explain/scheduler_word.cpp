// src/answers/explain/scheduler_word.cpp: reads the PodScheduled condition, and without one the
// newest FailedScheduling event.

#include "src/answers/explain/scheduler_word.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "dra/answers/explain/capacity_words.h"
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

// No value if the message is about another number of nodes, or the scheduler ran out of time and
// did not decide.
std::optional<bool> agrees(const SchedulerWord& word, Verdict verdict, std::int64_t nodes) {
  if (verdict == Verdict::Fits) return false;  // the scheduler may not have tried again since
  if (word.message.find("timed out trying") != std::string::npos) return std::nullopt;
  const bool stands = verdict == Verdict::Blocked || verdict == Verdict::DoesNotFit;
  return stands && word.nodes.value_or(nodes) == nodes ? std::optional(true) : std::nullopt;
}

}  // namespace

std::optional<SchedulerWord> scheduler_word(const snapshot::Snapshot& snapshot, const api::Pod& pod,
                                            Verdict verdict, std::size_t nodes) {
  const api::Event* failure = newest_failure(snapshot, pod);
  auto word = word_of_condition(pod);
  if (!word) word = word_of_event(failure);
  if (!word) return std::nullopt;
  word->attempts = attempts_of(failure);
  word->nodes = nodes_counted(word->message);
  word->agrees = agrees(*word, verdict, static_cast<std::int64_t>(nodes));
  return word;
}

}  // namespace dra::answers
