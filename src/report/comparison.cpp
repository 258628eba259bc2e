// src/report/comparison.cpp: see comparison.h.

#include "dra/report/comparison.h"

#include "dra/base/text.h"
#include "dra/report/list.h"
#include "src/report/change_words.h"
#include "src/report/decisive.h"
#include "src/report/problem_words.h"
#include "src/report/subject_json.h"
#include "src/report/words.h"

namespace dra::report {
namespace {

using snapshot::Difference;

constexpr int kMaxStates = 200;  // between the two that are looked at

std::string words_of(const StateAnswer& answer) {
  return answer.exists ? answer.summary : "It was not there.";
}

}  // namespace

json::Value to_json(const StateAnswer& answer) {
  json::Value out = json::Value::object();
  out.set("exists", answer.exists);
  if (!answer.exists) return out;
  out.set("verdict", name_of(answer.verdict));
  if (answer.code) out.set("code", diag::name_of(*answer.code));
  out.set("summary", answer.summary);
  return out;
}

Comparison compare(const snapshot::Snapshot& before, const snapshot::Snapshot& after,
                   const engine::Wanted& wanted) {
  Comparison result{.subject = name_of(wanted),
                    .before = AskedState(before).answer(wanted),
                    .after = AskedState(after).answer(wanted),
                    .decisive = {}};
  auto all = snapshot::differences(before, after);
  result.changes = all.size();
  if (result.before.same_as(result.after)) return result;
  StatesBetween states(before, after, kMaxStates);
  const auto is_it = [&](const StateAnswer& answer) { return answer.same_as(result.after); };
  // Another release or what could not be read may be the difference.
  Decisive found = decisive_of(states, {.wanted = wanted, .is_it = is_it, .changes = all});
  const auto events =
      events_about(before, after, wanted, snapshot::event_differences(before, after));
  if (found.outcome == Decisive::Outcome::NotThese && !events.empty()) {
    all.insert(all.end(), events.begin(), events.end());
    result.changes = all.size();
    found = decisive_of(states, {.wanted = wanted, .is_it = is_it, .changes = std::move(all)});
  }
  result.bounded = found.outcome == Decisive::Outcome::Bounded;
  result.decisive = std::move(found.changes);
  return result;
}

json::Value to_json(const Comparison& comparison, const snapshot::Snapshot& before,
                    const snapshot::Snapshot& after) {
  json::Value out = report_object("Comparison");
  out.set("subject", subject_json(comparison.subject));
  out.set("before", to_json(comparison.before));
  out.set("after", to_json(comparison.after));
  out.set("changes", comparison.changes);
  json::Value decisive = json::Value::array();
  const ChangeWords words(before, after);
  for (const Difference& one : comparison.decisive)
    decisive.push(to_json(one, words));
  out.set("decisive", std::move(decisive));
  if (comparison.bounded) out.set("bounded", true);
  add_coverage(out, after.coverage());
  return out;
}

view::Document to_view(const Comparison& comparison, const snapshot::Snapshot& before,
                       const snapshot::Snapshot& after) {
  view::Document document;
  const bool same = comparison.before.same_as(comparison.after);
  document.add(view::Fields{.fields = {{"before", {span(words_of(comparison.before))}},
                                       {"now", {span(words_of(comparison.after))}}}});
  document.add(view::Blank{});
  const std::string changes = base::plural(static_cast<std::int64_t>(comparison.changes), "object");
  if (same || comparison.decisive.empty()) {
    const std::string why = same ? base::format("No difference; {} changed.", changes)
                            : comparison.bounded
                                ? base::format(
                                      "Which of {} that changed made the difference was "
                                      "not found in time.",
                                      changes)
                                : "No object made the difference: another release, or what could "
                                  "not be read, did.";
    document.add(view::Paragraph{.spans = {span(why)}});
    return document;
  }
  document.add(view::Paragraph{
      .spans = {
          span(base::format("Of {} that changed, {} made the difference:", changes,
                            comparison.decisive.size() == 1
                                ? std::string("one")
                                : base::format("{} together", comparison.decisive.size())))}});
  const ChangeWords words(before, after);
  for (const Difference& one : comparison.decisive) {
    const auto name =
        name_subjects({subject_of(one)}, {api::info_of(one.kind).name, {}}, Detail::Screen);
    document.add(view::Paragraph{
        .spans = {span(name + ": ", view::Tone::Strong), span(words.of(one))}, .indent = 2});
  }
  return document;
}

}  // namespace dra::report
