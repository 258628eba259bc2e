// src/report/explain/supply_view.cpp: presents who could use a target, as JSON and as text. It
// arranges facts and computes none.

#include <algorithm>
#include <utility>

#include "dra/base/text.h"
#include "dra/diag/subject.h"
#include "dra/diag/subject_words.h"
#include "dra/report/explain/explanation.h"
#include "dra/report/explain/supply.h"
#include "dra/report/phrases/envelope.h"
#include "dra/report/phrases/subject_json.h"
#include "dra/report/phrases/words.h"

namespace dra::report {
namespace {

using answers::SupplyAnswer;
using answers::SupplyExplanation;
using view::Tone;

// Subjects with the same answer.
struct Alike {
  std::optional<bool> could;
  std::string what;
  std::vector<SubjectName> who;
};

// "gets 2 of 8 devices", if the target has several.
std::string what_of(const SupplyExplanation& explanation, const SupplyAnswer& answer) {
  if (!answer.could.value_or(false)) return answer.why;
  return explanation.devices > 1
             ? base::format("{} of {} devices", answer.devices, explanation.devices)
             : std::string();
}

std::vector<Alike> fold(const SupplyExplanation& explanation) {
  std::vector<Alike> all;
  for (const SupplyAnswer& answer : explanation.answers) {
    const std::string what = what_of(explanation, answer);
    const auto same = std::ranges::find_if(all, [&](const Alike& one) {
      return one.could == answer.could && one.what == what &&
             one.who.front().kind == answer.subject.kind;
    });
    if (same != all.end()) {
      same->who.push_back(answer.subject);
    } else {
      all.push_back({answer.could, what, {answer.subject}});
    }
  }
  const auto rank = [](const Alike& one) { return !one.could ? 1 : *one.could ? 0 : 2; };
  std::ranges::stable_sort(all, [&rank](const Alike& a, const Alike& b) {
    return std::pair(rank(a), -std::ssize(a.who)) < std::pair(rank(b), -std::ssize(b.who));
  });
  return all;
}

view::Paragraph line_of(const Alike& alike, bool wide) {
  const bool pods = alike.who.front().kind == "Pod";
  const diag::SubjectWords words =
      pods ? diag::SubjectWords{"Pod", "pods"} : diag::SubjectWords{"Claim", "claims"};
  const diag::Detail detail = wide ? diag::Detail::Everything : diag::Detail::Screen;
  std::string_view verb = "could use it";
  if (!alike.could) verb = "may or may not";
  if (alike.could && !*alike.could) verb = "could not";
  const Tone tone = !alike.could ? Tone::Warn : *alike.could ? Tone::Good : Tone::Plain;
  std::string text = base::format(" {}", verb);
  if (!alike.what.empty()) text += ": " + alike.what;
  return {.spans = {span(name_subjects(alike.who, words, detail), Tone::Strong),
                    span(sentence(std::move(text)), tone)},
          .indent = 2};
}

}  // namespace

json::Value to_json(const answers::SupplyExplanation& explanation) {
  json::Value out = report_object("ReverseExplanation");
  out.set("subject", subject_json(explanation.subject));
  out.set("summary", explanation.summary);
  json::Value items = json::Value::array();
  for (const SupplyAnswer& answer : explanation.answers) {
    json::Value item = json::Value::object();
    item.set("subject", subject_json(answer.subject));
    item.set("could", answer.could ? json::Value(*answer.could) : json::Value());
    if (explanation.devices > 0) item.set("devices", answer.devices);
    if (!answer.why.empty()) item.set("why", answer.why);
    item.set("explanation", to_json(answer.explanation));
    items.push(std::move(item));
  }
  out.set("items", std::move(items));
  if (explanation.not_looked_at > 0) out.set("notLookedAt", explanation.not_looked_at);
  add_coverage(out, explanation.coverage);
  return out;
}

view::Document to_view(const answers::SupplyExplanation& explanation, bool wide) {
  view::Document document;
  document.add(view::Paragraph{.spans = {span(explanation.summary, Tone::Strong)}});
  if (explanation.answers.empty()) return document;
  document.add(view::Blank{});
  const std::size_t answers = document.begin_fold({.more = {.several = "and {} more: -o wide"}});
  view::Rank rank = view::kAlways;
  for (const Alike& alike : fold(explanation))
    document.add_part(answers, line_of(alike, wide), std::exchange(rank, 1));
  document.end_fold(answers);
  if (explanation.not_looked_at > 0)
    document.add(view::Paragraph{.spans = {span(base::format("{} more wait, and were not looked at",
                                                             explanation.not_looked_at),
                                                Tone::Warn)},
                                 .indent = 2});
  return document;
}

}  // namespace dra::report
