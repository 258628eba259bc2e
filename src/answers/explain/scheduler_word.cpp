// src/answers/explain/scheduler_word.cpp: reads the PodScheduled condition, and without one the
// newest FailedScheduling event.

#include "src/answers/explain/scheduler_word.h"

#include <charconv>
#include <string_view>

#include "dra/engine/cluster/events.h"

namespace dra::answers {
namespace {

std::optional<SchedulerWord> word_of_condition(const api::Pod& pod) {
  for (const api::Condition& condition : pod.status.conditions) {
    if (condition.type != "PodScheduled" || condition.status != "False") continue;
    if (condition.message.empty() && condition.reason.empty()) continue;
    return SchedulerWord{std::string(condition.message), std::string(condition.reason),
                         condition.changed, std::nullopt};
  }
  return std::nullopt;
}

std::optional<SchedulerWord> word_of_event(const snapshot::Snapshot& snapshot,
                                           const api::Pod& pod) {
  const api::Event* newest = nullptr;
  for (const api::Event* event : engine::events_of(snapshot, "Pod", pod.meta)) {
    if (event->reason != "FailedScheduling") continue;
    if (newest == nullptr || event->last_seen() > newest->last_seen()) newest = event;
  }
  if (newest == nullptr) return std::nullopt;
  return SchedulerWord{std::string(newest->message), std::string(newest->reason),
                       newest->first ? newest->first : newest->at, std::nullopt};
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

// No value if the message is about another number of nodes.
std::optional<bool> agrees(const SchedulerWord& word, Verdict verdict, std::int64_t nodes) {
  if (verdict == Verdict::Fits) return false;  // the scheduler may not have tried again since
  const bool stands = verdict == Verdict::Blocked || verdict == Verdict::DoesNotFit;
  return stands && word.nodes.value_or(nodes) == nodes ? std::optional(true) : std::nullopt;
}

}  // namespace

std::optional<SchedulerWord> scheduler_word(const snapshot::Snapshot& snapshot, const api::Pod& pod,
                                            Verdict verdict, std::size_t nodes) {
  auto word = word_of_condition(pod);
  if (!word) word = word_of_event(snapshot, pod);
  if (!word) return std::nullopt;
  word->nodes = nodes_counted(word->message);
  word->agrees = agrees(*word, verdict, static_cast<std::int64_t>(nodes));
  return word;
}

}  // namespace dra::answers
