// src/answers/explain/after_summary.cpp: picks the sentence by where the subject fails: while it is
// bound, prepared, started, or when it runs.

#include "src/answers/explain/after_summary.h"

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
std::string summary_of_pod(const api::Pod& pod, const AfterFinding& found, const std::string& who) {
  const std::string message = base::shorten_middle(found.finding.message, kMaxMessage);
  const std::string_view node = pod.spec.node_name;
  const bool named = message.find(node) != std::string::npos;
  if (found.fails == Fails::Run)
    return base::format("{} runs on node {}, but {}", who, node, message);
  if (named || pod.finished()) return base::format("{} {}: {}", who, verb_of(found.fails), message);
  return base::format("{} is on node {} but {}: {}", who, node, verb_of(found.fails), message);
}

}  // namespace

std::string after_summary(Verdict verdict, const engine::Subject& subject,
                          const std::vector<AfterFinding>& after, const std::string& who) {
  if (after.empty()) return {};
  const AfterFinding& first = after.front();
  const std::string message = base::shorten_middle(first.finding.message, kMaxMessage);
  const api::Pod* pod = subject.pod;
  if (verdict == Verdict::Scheduled) {
    return pod == nullptr ? base::format("{} is allocated, but {}", who, message)
                          : summary_of_pod(*pod, first, who);
  }
  if (verdict != Verdict::Fits || first.finding.subjects.empty()) return {};
  if (first.fails == Fails::Bind)
    return base::format("{} has its devices, but {}: {}", who, verb_of(first.fails), message);
  return base::format("{} fits, but {} not start: {}", who, first.on_some_nodes ? "may" : "would",
                      message);
}

}  // namespace dra::answers
