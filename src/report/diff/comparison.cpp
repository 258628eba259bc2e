// src/report/diff/comparison.cpp: see comparison.h.

#include "dra/report/diff/comparison.h"

#include <algorithm>

#include "dra/base/text.h"
#include "dra/diag/subject_words.h"
#include "dra/report/phrases/envelope.h"
#include "dra/report/phrases/subject_json.h"
#include "dra/report/phrases/subject_words.h"
#include "dra/report/phrases/words.h"
#include "src/report/diff/change_words.h"
#include "src/report/diff/decisive.h"

namespace dra::report {
namespace {

using snapshot::Difference;

constexpr int kMaxStatesOfComparison = 200;  // between the two that are looked at

std::string answer_words(const StateAnswer& answer) {
  return answer.exists ? answer.summary : "It was not there.";
}

// "Of 3 objects that changed, one made the difference"; events are no objects that somebody
// changed.
std::string who_decided(const Comparison& comparison) {
  const auto events = std::ranges::count(comparison.decisive, api::Kind::Event, &Difference::kind);
  const auto objects = std::ssize(comparison.decisive) - events;
  const std::string of = base::format(
      "Of {} that changed", base::plural(static_cast<std::int64_t>(comparison.changes), "object"));
  const std::string_view event = events == 1 ? "an event" : "events";
  if (objects == 0)
    return comparison.changes == 0
               ? base::format("No object changed; {} made the difference", event)
               : base::format("{}, none made the difference, but {} did", of, event);
  const std::string one = objects == 1 ? "one" : base::format("{}", objects);
  if (events > 0) return base::format("{}, {} and {} made the difference", of, one, event);
  return base::format("{}, {} made the difference", of, objects == 1 ? one : one + " together");
}

}  // namespace

bool Comparison::untold() const { return are_events_gone(decisive); }

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
  auto all = seen_differences(before, after);
  result.changes = all.size();
  if (result.before.same_as(result.after)) return result;
  StatesBetween states(before, after, kMaxStatesOfComparison);
  const auto is_it = [&](const StateAnswer& answer) { return answer.same_as(result.after); };
  // Another release or what could not be read may be the difference.
  Decisive found = decisive_of(states, {.wanted = wanted, .is_it = is_it, .changes = all});
  const auto events =
      events_about(before, after, wanted, snapshot::event_differences(before, after));
  if (found.outcome == Decisive::Outcome::NotThese && !events.empty()) {
    all.insert(all.end(), events.begin(), events.end());
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
  if (comparison.untold()) out.set("untold", true);
  if (comparison.bounded) out.set("bounded", true);
  add_coverage(out, after.coverage());
  return out;
}

view::Document to_view(const Comparison& comparison, const snapshot::Snapshot& before,
                       const snapshot::Snapshot& after) {
  view::Document document;
  const bool same = comparison.before.same_as(comparison.after);
  document.add(view::Fields{.fields = {{"before", {span(answer_words(comparison.before))}},
                                       {"now", {span(answer_words(comparison.after))}}}});
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
  document.add(view::Paragraph{.spans = {span(base::format("{}:", who_decided(comparison)))}});
  const ChangeWords words(before, after);
  for (const Difference& one : comparison.decisive) {
    const auto name =
        name_subjects({subject_of(one)}, {api::info_of(one.kind).name, {}}, diag::Detail::Screen);
    document.add(view::Paragraph{
        .spans = {span(name + ": ", view::Tone::Strong), span(words.of(one))}, .indent = 2});
  }
  if (comparison.untold())
    document.add(view::Paragraph{.spans = {span(sentence(base::format("But {}", kUntold)))}});
  return document;
}

}  // namespace dra::report
