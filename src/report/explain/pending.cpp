// src/report/explain/pending.cpp: shows each cause with its pods and a command.

#include "dra/report/explain/pending.h"

#include <utility>

#include "dra/api/subject.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/diag/subject.h"
#include "dra/diag/subject_words.h"
#include "dra/report/explain/explanation.h"
#include "dra/report/phrases/envelope.h"
#include "dra/report/phrases/remedy.h"
#include "dra/report/phrases/subject_json.h"
#include "dra/report/phrases/words.h"

namespace dra::report {
namespace {

using view::Tone;

std::vector<SubjectName> names_of(const std::vector<const api::Pod*>& pods) {
  std::vector<SubjectName> names;
  names.reserve(pods.size());
  for (const api::Pod* pod : pods)
    names.push_back(subject_of("Pod", pod->meta));
  return names;
}

std::string pending_headline(const answers::PendingPods& pending) {
  const std::string where =
      pending.namespace_.empty() ? "" : base::format(" in namespace {}", pending.namespace_);
  if (const std::string unknown = pending.unknown(); !unknown.empty())
    return base::format("Whether pods wait for devices{} is unknown: {}.", where, unknown);
  if (pending.pods == 0) {
    const std::string others = pending.elsewhere == 0
                                   ? ""
                                   : base::format("; {} {} in others: -A", pending.elsewhere,
                                                  pending.elsewhere == 1 ? "does" : "do");
    return base::format("No pod waits for devices{}{}.", where, others);
  }
  const std::size_t causes = pending.by_cause.causes.size();
  return base::format("{}{} {} for devices, with {}.",
                      base::plural(static_cast<std::int64_t>(pending.pods), "pod"), where,
                      pending.pods == 1 ? "waits" : "wait",
                      causes == 1 ? "one cause" : base::format("{} causes", causes));
}

view::Document cause_document(const answers::PodsOfCause& alike,
                              const PendingViewOptions& options) {
  view::Document part;
  const auto names = names_of(alike.pods);
  const diag::Detail detail = options.wide ? diag::Detail::Everything : diag::Detail::Screen;
  const bool waits = alike.can_be_had();
  part.add(view::Paragraph{
      .spans = {span(headline_of(alike, name_subjects(names, {"Pod", "pods"}, detail)),
                     waits ? Tone::Warn : Tone::Plain)},
      .indent = 2});
  const std::string command = command_for("explain", "pod", names.front());
  add_command(part, diag::CommandLine(options.program).words(command).flags(options.flags).text(),
              4);
  return part;
}

}  // namespace

json::Value pending_item(const answers::PodsOfCause& pods,
                         const answers::Explanation& explanation) {
  json::Value item = to_json(explanation);
  item.set("count", pods.pods.size());
  item.set("pods", pods_json(pods.pods));
  return item;
}

json::Value to_json(const answers::PendingPods& pending) {
  json::Value items = json::Value::array();
  for (const answers::PodsOfCause& alike : pending.by_cause.causes)
    items.push(pending_item(alike, alike.explanation));
  json::Value out = pending_frame(pending);
  out.set("items", std::move(items));
  return out;
}

json::Value pending_frame(const answers::PendingPods& pending) {
  json::Value out = report_object("ExplanationList");
  out.set("summary", pending_headline(pending));
  out.set("waiting", pending.unknown().empty() ? json::Value(pending.pods) : json::Value());
  if (pending.elsewhere > 0) out.set("waitingElsewhere", pending.elsewhere);
  out.set("items", json::Value::array());
  if (!pending.by_cause.not_looked_at.empty())
    out.set("notLookedAt", pods_json(pending.by_cause.not_looked_at));
  add_coverage(out, pending.coverage);
  return out;
}

view::Document to_view(const answers::PendingPods& pending, const PendingViewOptions& options) {
  view::Document document;
  const Tone none = pending.unknown().empty() ? Tone::Good : Tone::Warn;
  document.add(view::Paragraph{
      .spans = {span(pending_headline(pending), pending.pods == 0 ? none : Tone::Bad)}});
  if (pending.pods == 0) return document;
  document.add(view::Blank{});
  const std::size_t causes = document.begin_fold(
      {.more = {.one = "and 1 more cause: -o wide", .several = "and {} more causes: -o wide"}});
  view::Rank rank = view::kAlways;
  for (const answers::PodsOfCause& cause : pending.by_cause.causes)
    document.add_part(causes, cause_document(cause, options), std::exchange(rank, 1));
  document.end_fold(causes);
  if (const auto rest = std::ssize(pending.by_cause.not_looked_at); rest > 0)
    document.add(view::Paragraph{
        .spans = {span(base::format("{} were not looked at: too many different ones wait",
                                    base::plural(rest, "further pod")),
                       Tone::Warn)},
        .indent = 2});
  return document;
}

}  // namespace dra::report
