// src/answers/explain/workload_summary.cpp: words the verdict for three cases: pods that a template
// would make, pods that wait, and workloads whose pods all have nodes.

#include "src/answers/explain/workload_summary.h"

#include <algorithm>

#include "dra/answers/explain/missing_pods_words.h"
#include "dra/answers/explain/refusal.h"
#include "dra/base/prose.h"
#include "dra/base/text.h"

namespace dra::answers {
namespace {

std::int64_t wanted_pods(const WorkloadExplanation& explanation) {
  std::int64_t wanted = 0;
  for (const RoleFit& role : explanation.roles)
    wanted += role.wanted;
  return wanted;
}

const RoleFit* without_room(const WorkloadExplanation& explanation) {
  const auto found = std::ranges::find_if(
      explanation.roles, [&](const RoleFit& role) { return has_no_room(explanation, role); });
  return found == explanation.roles.end() ? nullptr : &*found;
}

// "4 hosts are needed at once, and 3 fit".
std::string shortage_words(const RoleFit& role, std::int64_t wanted) {
  const std::string fit = role.fit.fit == 0 ? "none" : base::format("{}", role.fit.fit);
  if (role.together > 1)
    return base::format("{} pods of one index group are needed at once, and {} {}", role.together,
                        fit, role.fit.fit == 1 ? "fits" : "fit");
  return base::format("{} of {} {}", role.fit.fit == 0 ? fit : "only " + fit,
                      base::plural(wanted, "pod"), role.fit.fit == 1 ? "fits" : "fit");
}

// Summary of a workload without pods, about the pods of its templates.
std::string summary_of_made(const WorkloadExplanation& explanation, const std::string& who) {
  const PodsOfCause& first = explanation.causes.front();
  const RoleFit* short_of = without_room(explanation);
  const Verdict verdict = first.cause.verdict;
  if (short_of != nullptr && verdict == Verdict::Fits) {
    const std::string of =
        explanation.role.empty() ? "" : base::format(" of template {}", short_of->name);
    return base::format("{} has no pods yet, and not all{} fit: {}.", who, of,
                        shortage_words(*short_of, short_of->wanted));
  }
  std::string words = predicate_of(first, true);
  if (verdict == Verdict::Fits)
    words = std::all_of(explanation.causes.begin(), explanation.causes.end(),
                        [](const PodsOfCause& one) { return one.can_be_had(); })
                ? "fits."
                : words;
  if (verdict == Verdict::Undetermined) words = base::sentence("is undetermined: " + first.text);
  const bool alike = verdict == Verdict::Fits || explanation.role.empty();
  return base::format("{} has no pods yet; a pod of {} {}", who,
                      alike ? std::string("its template") : "template " + explanation.role, words);
}

std::string summary_of_waiting(const WorkloadExplanation& explanation, const std::string& who) {
  const auto& causes = explanation.causes;
  const PodsOfCause& first = causes.front();
  const std::int64_t waiting = explanation.waiting;
  const std::int64_t all = waiting + explanation.running;
  const std::string count = base::format("{} of {} {}", waiting, base::plural(all, "pod"),
                                         waiting == 1 ? "waits" : "wait");
  const RoleFit* short_of = without_room(explanation);
  if (first.can_be_had() && short_of != nullptr) {
    return base::format("{}: {}; each could run alone, but only {} {} together.", who, count,
                        short_of->fit.fit, short_of->fit.fit == 1 ? "fits" : "fit");
  }
  if (first.can_be_had())
    return base::format("{}: {}, though the devices are available: {}.", who, count,
                        waits_for_scheduler(first.explanation));
  std::string why = first.text;
  if (first.cause.verdict == Verdict::Undetermined) why = "undetermined, " + why;
  if (causes.size() == 1) return base::sentence(base::format("{}: {}: {}", who, count, why));
  return base::sentence(base::format("{}: {}, for {} causes. {}: {}", who, count, causes.size(),
                                     base::plural(std::ssize(first.pods), "pod"), why));
}

}  // namespace

std::string summary_of(const WorkloadExplanation& explanation) {
  const SubjectName& subject = explanation.subject;
  const std::string who = base::format("{} {}/{}", subject.kind, subject.namespace_, subject.name);
  const bool none = explanation.running + explanation.waiting == 0;
  if (explanation.complete) return base::format("{} is complete: its pods have ended.", who);
  if (explanation.missing && none)
    return base::sentence(base::format("{} has no pods: {}", who, words_of(*explanation.missing)));
  if (none && wanted_pods(explanation) == 0 && subject.kind == "DaemonSet")
    return base::format(
        "{} wants no pods: no node is to run one (its status.desiredNumberScheduled is 0).", who);
  if (none && wanted_pods(explanation) == 0)
    return base::format("{} wants no pods: it is scaled to 0.", who);
  if (!explanation.causes.empty())
    return explanation.made ? summary_of_made(explanation, who)
                            : summary_of_waiting(explanation, who);
  if (explanation.running == 0) return base::format("{} has no pods and wants none.", who);
  if (!explanation.unwell.empty()) {
    const std::int64_t count = explanation.not_running();
    std::string text = base::format(
        "{}: {} of {} {} not run: {}", who, count, base::plural(explanation.running, "pod"),
        count == 1 ? "does" : "do", explanation.unwell.front().cause.text);
    if (explanation.missing) text += base::format("; {}", words_of(*explanation.missing));
    return base::sentence(text);
  }
  const std::int64_t missing = wanted_pods(explanation) - explanation.running;
  if (missing > 0) {
    std::string text = base::format(
        "{}: {} a node, and {} more {} wanted that {} not been created", who,
        explanation.running == 1 ? std::string("its pod has")
                                 : base::format("{} pods have", base::all(explanation.running)),
        missing, missing == 1 ? "is" : "are", missing == 1 ? "has" : "have");
    if (explanation.missing) text += base::format(": {}", words_of(*explanation.missing));
    return base::sentence(text);
  }
  return explanation.running == 1
             ? base::format("{}: its pod has a node.", who)
             : base::format("{}: {} pods have a node.", who, base::all(explanation.running));
}

}  // namespace dra::answers
