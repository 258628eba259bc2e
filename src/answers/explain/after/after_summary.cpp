// src/answers/explain/after/after_summary.cpp: picks the sentence by where the subject fails: while
// it is bound, prepared, started, or when it runs.

#include "src/answers/explain/after/after_summary.h"

#include "dra/base/prose.h"
#include "dra/base/text.h"

namespace dra::answers {
namespace {

using engine::AfterFinding;
using engine::Fails;
using engine::Verdict;

constexpr std::size_t kMaxMessage = 200;  // cells that the message may take in the first line

std::string_view verb_of(Fails fails) {
  switch (fails) {
    case Fails::Bind:
      return "is not bound to a node";
    case Fails::Prepare:
    case Fails::Start:
      return "does not start";
    case Fails::Run:
      return "runs";
    case Fails::End:
      return "does not go away";
  }
  return "";
}

// The node's name is added unless the message already has it.
std::string predicate_of_pod(const api::Pod& pod, const AfterFinding& found,
                             const std::string& message) {
  const std::string_view node = pod.spec.node_name;
  const bool named = message.find(node) != std::string::npos;
  if (found.fails == Fails::Run) return base::format("runs on node {}, but {}", node, message);
  if (named || pod.finished()) return base::format("{}: {}", verb_of(found.fails), message);
  return base::format("is on node {} but {}: {}", node, verb_of(found.fails), message);
}

}  // namespace

bool adds_failure(Verdict verdict, const engine::Subject& subject,
                  const std::vector<AfterFinding>& after, Headline& headline) {
  if (after.empty()) return false;
  const AfterFinding& first = after.front();
  const std::string message = base::shorten_message(first.finding.message, kMaxMessage);
  const api::Pod* pod = subject.pod;
  if (verdict == Verdict::Scheduled) {
    headline.answer = base::sentence(message);
    headline.predicate =
        base::sentence(pod == nullptr ? base::format("is allocated, but {}", message)
                                      : predicate_of_pod(*pod, first, message));
    return true;
  }
  if (verdict != Verdict::Fits || first.finding.subjects.empty()) return false;
  const std::string words =
      first.fails == Fails::Bind
          ? base::format("has its devices, but {}: {}", verb_of(first.fails), message)
          : base::format(first.on_some_nodes ? "fits, but may not start: {}"
                                             : "would be placed, but would not start: {}",
                         message);
  headline.predicate = base::sentence(words);
  headline.answer = base::sentence("it " + words);
  return true;
}

}  // namespace dra::answers
