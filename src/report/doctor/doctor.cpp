// src/report/doctor/doctor.cpp: the text gives each advice once.

#include "dra/report/doctor/doctor.h"

#include <algorithm>
#include <set>
#include <string>

#include "dra/base/text.h"
#include "dra/report/doctor/problems.h"
#include "dra/report/phrases/advice_words.h"
#include "dra/report/phrases/envelope.h"
#include "dra/report/phrases/remedy.h"
#include "dra/report/phrases/words.h"

namespace dra::report {
namespace {

using answers::Doctor;
using answers::Problem;
using view::Tone;

std::string looked_words(const Doctor& doctor) {
  std::vector<std::string> parts;
  for (const Doctor::Looked& looked : doctor.looked_at)
    parts.push_back(base::plural(looked.count, looked.one, looked.many));
  if (parts.empty()) return "nothing";
  const std::string only =
      doctor.namespace_.empty()
          ? ""
          : base::format(" (claims and pods of namespace {} only)", doctor.namespace_);
  return base::join(parts, ", ") + only;
}

// A step, and the command that goes with it; empty: there is none.
void add_step(view::Document& document, std::string step, std::string command = {}) {
  document.add(view::Paragraph{.spans = {span(std::move(step))}, .indent = 4, .hang = 0});
  if (!command.empty()) add_command(document, std::move(command), 4);
}

// Empty: there is none, or it is the one below.
std::string step_command(const Problem& problem, const OverviewSource& source) {
  if (problem.step_command.empty()) return {};
  std::string command = to_paste(problem.step_command, source.flags);
  return command == source.command(problem.remedy.command) ? std::string() : command;
}

// The lines that explain has, with its numbers.
void add_tried(view::Document& document, const Problem& problem) {
  const bool one =
      std::ranges::count(problem.finding.subjects, "Pod", &diag::SubjectName::kind) == 1;
  const std::vector<TriedAdvice> all = tried_for(problem);
  add_step(document, advice_title(one ? "it" : "one of them", all.size()));
  for (const TriedAdvice& tried : all) {
    document.add(view::Paragraph{.spans = {span(base::format("{}. {}", tried.number, tried.words)),
                                           span(base::format("  ({})", tried.gain), Tone::Dim)},
                                 .indent = 6,
                                 .hang = 3});
    for (const std::string& command : tried.commands)
      add_command(document, command, 9);
  }
  if (!problem.remedy.text.empty()) add_step(document, problem.remedy.text);
}

// "pools, classes": those of which there are some.
std::string without_problem(const Doctor& doctor) {
  std::vector<std::string> kinds;
  for (const Doctor::Looked& looked : doctor.looked_at) {
    if (looked.count > 0 && looked.problems == 0) kinds.emplace_back(looked.many);
  }
  return base::join(kinds, ", ");
}

}  // namespace

json::Value to_json(const answers::Doctor& doctor, const OverviewSource& source) {
  json::Value report = report_object("Doctor");
  if (!doctor.namespace_.empty()) report.set("namespace", doctor.namespace_);
  json::Value& problems = report.set("problems", json::Value::array());
  for (const Problem& problem : doctor.problems) {
    problems.push(to_json(problem, source));
  }
  json::Value& looked = report.set("lookedAt", json::Value::array());
  for (const Doctor::Looked& one : doctor.looked_at) {
    json::Value& kind = looked.push(json::Value::object());
    kind.set("kind", one.one);
    kind.set("count", one.count);
    kind.set("problems", one.problems);
  }
  add_coverage(report, doctor.coverage);
  return report;
}

// Advice follows the first problem that it is for.
view::Document to_view(const answers::Doctor& doctor, const OverviewSource& source) {
  const std::string counts = answers::counts_of(doctor.problems);
  view::Document document{.blocks = {},
                          .title = base::format("{} {}: {}", source.kind, source.name,
                                                counts.empty() ? "nothing is wrong" : counts)};
  if (doctor.problems.empty()) {
    const bool none = doctor.has_no_devices();
    document.add(view::Paragraph{
        .spans = {none ? span("Nothing is wrong, but no driver publishes any device.", Tone::Warn)
                       : span("Nothing is wrong.", Tone::Good),
                  span(base::format(" Looked at {}.", looked_words(doctor)))}});
    return document;
  }
  std::set<std::string> advised;
  for (const Problem& problem : doctor.problems) {
    view::Document card;
    card.add(view::Paragraph{
        .spans = {
            span(std::string(name_of(problem.finding.severity)), tone_of(problem.finding.severity)),
            span(base::format(" {}", diag::name_of(problem.finding.code)), Tone::Strong),
            span(base::format(": {}", problem.finding.message))}});
    if (problem.explained)
      add_tried(card, problem);
    else if (std::string words = answers::advice_of(problem); advised.insert(words).second)
      add_step(card, std::move(words), step_command(problem, source));
    add_command(card, source.command(problem.remedy.command), 4);
    document.add_card(std::move(card), tone_of(problem.finding.severity));
    document.add(view::Blank{});
  }
  document.add(view::Paragraph{
      .spans = {span(counts, Tone::Strong),
                span(base::format("{}; looked at {}.",
                                  doctor.has_no_devices() ? "; no driver publishes any device" : "",
                                  looked_words(doctor)))}});
  if (const std::string kinds = without_problem(doctor); !kinds.empty()) {
    document.add(view::Paragraph{
        .spans = {span(base::format("No problem found with {}.", kinds), Tone::Good)}});
  }
  return document;
}

}  // namespace dra::report
