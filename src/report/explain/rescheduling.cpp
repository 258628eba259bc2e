// src/report/explain/rescheduling.cpp: how many pods would go where, then those that would not stay
// on their nodes, by cause.

#include "dra/report/explain/rescheduling.h"

#include <algorithm>
#include <array>
#include <utility>

#include "dra/api/subject.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/diag/subject.h"
#include "dra/diag/subject_words.h"
#include "dra/report/phrases/advice_words.h"
#include "dra/report/phrases/envelope.h"
#include "dra/report/phrases/reason_json.h"
#include "dra/report/phrases/remedy.h"
#include "dra/report/phrases/subject_json.h"
#include "dra/report/phrases/words.h"

namespace dra::report {
namespace {

using answers::NextNode;
using answers::RescheduledPod;
using answers::Rescheduling;
using view::Tone;

constexpr std::size_t kMaxNodesNamed = 3;

// Pods of one cause.
struct SameCause {
  const RescheduledPod* first;
  std::vector<SubjectName> pods;
};

// Those that would not stay on their nodes: first what is due to what is supposed, then the worst,
// then the most.
std::vector<SameCause> by_cause(const Rescheduling& all) {
  std::vector<SameCause> causes;
  for (const RescheduledPod& one : all.pods) {
    if (one.next == NextNode::Same) continue;
    const auto key = [](const RescheduledPod& pod) {
      return std::tie(pod.also_without, pod.next, pod.code, pod.cause, pod.nodes);
    };
    auto same = std::ranges::find_if(
        causes, [&](const SameCause& cause) { return key(*cause.first) == key(one); });
    if (same == causes.end()) {
      causes.push_back({&one, {}});
      same = std::prev(causes.end());
    }
    same->pods.push_back(subject_of("Pod", one.pod->meta));
  }
  const auto worst = [](NextNode next) {
    return next == NextNode::None ? 0 : next == NextNode::Open ? 1 : 2;
  };
  std::ranges::stable_sort(causes, {}, [&worst](const SameCause& cause) {
    return std::tuple(cause.first->also_without, worst(cause.first->next), -std::ssize(cause.pods));
  });
  return causes;
}

std::string supposed_words(const Rescheduling& all) {
  std::vector<std::string> changes;
  const std::string gates =
      all.gates.empty() ? "" : base::format(" with {}", base::join(all.gates, ", "));
  if (!all.release.empty())
    changes.push_back(
        base::format("{} ran{} in place of {}", all.release, gates, all.release_before));
  else if (!all.gates.empty())
    changes.push_back("the cluster ran" + gates);
  for (std::size_t i = 0; i < all.what_if.size(); ++i)
    changes.push_back(change_words(all.what_if[i], all.what_if_facts[i]));
  return base::join(changes, ", and ");
}

// "2 nowhere (1 of them already today)".
std::string part_of_headline(const Rescheduling& all, NextNode next, std::string_view where) {
  const std::size_t count = all.count(next);
  if (count == 0) return {};
  std::string words = base::format("{} {}", count, where);
  const auto without = std::ranges::count_if(
      all.pods, [next](const RescheduledPod& one) { return one.next == next && one.also_without; });
  if (without == 0) return words;
  if (without == static_cast<std::ptrdiff_t>(count)) return words + " (already today)";
  return words + base::format(" ({} of them already today)", without);
}

std::string rescheduling_headline(const Rescheduling& all) {
  const std::string where =
      all.namespace_.empty() ? "" : base::format(" in namespace {}", all.namespace_);
  if (const std::string unknown = all.unknown(); !unknown.empty())
    return base::format("Whether pods{} have devices is unknown: {}.", where, unknown);
  const std::size_t pods = all.pods.size() + all.not_looked_at.size();
  if (pods == 0)
    return base::format("No pod{} has devices{}.", where,
                        all.elsewhere == 0
                            ? ""
                            : base::format("; {} in other namespaces {}: -A", all.elsewhere,
                                           all.elsewhere == 1 ? "does" : "do"));
  const std::string start =
      base::format("{}{} {} devices. If {} had to start again",
                   base::plural(static_cast<std::int64_t>(pods), "pod"), where,
                   pods == 1 ? "has" : "have", pods == 1 ? "it" : "each of them");
  if (all.count(NextNode::Same) == pods)
    return base::format("{}, {} run on {}.", start, pods == 1 ? "it could" : "all could",
                        pods == 1 ? "its own node" : "their own nodes");
  std::vector<std::string> parts = {
      part_of_headline(all, NextNode::Same,
                       all.count(NextNode::Same) == 1 ? "could run on its own node"
                                                      : "could run on their own nodes"),
      part_of_headline(all, NextNode::Other, "on other nodes only"),
      part_of_headline(all, NextNode::None, "nowhere"),
      part_of_headline(all, NextNode::Open, "cannot be decided")};
  if (!all.not_looked_at.empty())
    parts.push_back(base::format("{} were not looked at", all.not_looked_at.size()));
  std::erase(parts, std::string());
  return base::format("{}: {}.", start, base::join(parts, ", "));
}

Tone tone_of_rescheduling(const Rescheduling& all) {
  if (all.count(NextNode::None) > 0) return Tone::Bad;
  const bool open = all.count(NextNode::Open) > 0 || !all.not_looked_at.empty();
  return open || !all.unknown().empty() ? Tone::Warn : Tone::Good;
}

std::string fate_words(const RescheduledPod& one, bool wide) {
  const std::string because = one.cause.empty() ? "" : ": " + one.cause;
  switch (one.next) {
    case NextNode::None:
      return "could run nowhere" + because;
    case NextNode::Open:
      return "cannot be decided" + because;
    case NextNode::Other:
      return base::format("could run on {} only, not on its own node{}",
                          base::join_first(one.nodes, wide ? one.nodes.size() : kMaxNodesNamed),
                          because);
    case NextNode::Same:
      break;
  }
  return "could run on its own node";
}

view::Document document_of(const SameCause& alike, const Rescheduling& all,
                           const ReschedulingViewOptions& options) {
  view::Document part;
  const diag::Detail detail = options.wide ? diag::Detail::Everything : diag::Detail::Screen;
  std::string words = base::format("{} {}", name_subjects(alike.pods, {"Pod", "pods"}, detail),
                                   base::sentence(fate_words(*alike.first, options.wide)));
  if (all.supposes() && alike.first->also_without) words += " That is so already today.";
  const bool bad = alike.first->next == NextNode::None && !alike.first->also_without;
  part.add(view::Paragraph{.spans = {span(std::move(words), bad ? Tone::Bad : Tone::Plain)},
                           .indent = 2});
  const std::string command = command_for("explain", "pod", alike.pods.front());
  add_command(part,
              diag::CommandLine(options.program)
                  .words(command)
                  .words("--as-if-pending")
                  .flags(options.flags)
                  .text(),
              4);
  return part;
}

json::Value pod_json(const Rescheduling& all, const RescheduledPod& one) {
  json::Value out = json::Value::object();
  out.set("subject", subject_json(subject_of("Pod", one.pod->meta)));
  out.set("node", one.pod->spec.node_name);
  out.set("next", name_of(one.next));
  if (one.next == NextNode::Other) out.set("nodes", strings_json(one.nodes));
  if (!one.cause.empty()) out.set("cause", one.cause);
  if (one.code) out.set("code", diag::name_of(*one.code));
  if (all.supposes() && one.next != NextNode::Same) out.set("alsoWithout", one.also_without);
  return out;
}

}  // namespace

json::Value to_json(const Rescheduling& all) {
  json::Value out = report_object("Rescheduling");
  if (!all.what_if.empty()) {
    json::Value changes = json::Value::array();
    for (const engine::Change& change : all.what_if)
      changes.push(change_json(change));
    out.set("whatIf", std::move(changes));
  }
  if (!all.release.empty()) {
    out.set("release", all.release);
    out.set("releaseBefore", all.release_before);
  }
  if (!all.gates.empty()) out.set("gates", strings_json(all.gates));
  out.set("summary", rescheduling_headline(all));
  if (all.elsewhere > 0) out.set("elsewhere", all.elsewhere);
  json::Value items = json::Value::array();
  for (const RescheduledPod& one : all.pods)
    items.push(pod_json(all, one));
  out.set("items", std::move(items));
  if (!all.not_looked_at.empty()) out.set("notLookedAt", pods_json(all.not_looked_at));
  add_coverage(out, all.coverage);
  return out;
}

view::Document to_view(const Rescheduling& all, const ReschedulingViewOptions& options) {
  view::Document document;
  if (all.supposes())
    document.add(view::Paragraph{.spans = {span("If " + supposed_words(all) + ":", Tone::Strong)}});
  document.add(
      view::Paragraph{.spans = {span(rescheduling_headline(all), tone_of_rescheduling(all))}});
  const std::vector<SameCause> causes = by_cause(all);
  if (!causes.empty()) {
    document.add(view::Blank{});
    const std::size_t fold = document.begin_fold(
        {.more = {.one = "and 1 more cause: -o wide", .several = "and {} more causes: -o wide"}});
    view::Rank rank = view::kAlways;
    for (const SameCause& alike : causes)
      document.add_part(fold, document_of(alike, all, options), std::exchange(rank, 1));
    document.end_fold(fold);
  }
  if (all.pods.empty()) return document;
  document.add(view::Blank{});
  document.add(view::Paragraph{
      .spans = {span(
          "Assumed: one pod at a time, while the others keep their devices. Whether several of "
          "them find room at once is not checked.",
          Tone::Dim)}});
  return document;
}

}  // namespace dra::report
