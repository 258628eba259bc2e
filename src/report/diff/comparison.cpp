// src/report/diff/comparison.cpp: presents a comparison as JSON and as text.

#include <algorithm>

#include "dra/base/text.h"
#include "dra/diag/subject_words.h"
#include "dra/report/diff/diff_report.h"
#include "dra/report/phrases/envelope.h"
#include "dra/report/phrases/subject_json.h"
#include "dra/report/phrases/words.h"
#include "src/report/diff/change_words.h"
#include "src/report/diff/diff_parts.h"

namespace dra::report {
namespace {

using answers::Comparison;
using answers::ObjectChange;
using answers::StateAnswer;

std::string words_before(const Comparison& comparison) {
  if (!comparison.before.exists) return "It did not exist.";
  return comparison.is_new
             ? base::format("It did not exist. If it had: {}", comparison.before.summary)
             : comparison.before.summary;
}

std::string words_now(const StateAnswer& answer) {
  return answer.exists ? answer.summary : "It does not exist any more.";
}

// "Of 3 objects that changed, one made the difference". Events report changes, so they do not count
// as changed objects.
std::string who_decided(const Comparison& comparison) {
  const auto events = std::ranges::count_if(comparison.decisive, [](const ObjectChange& one) {
    return one.object.kind == api::Kind::Event;
  });
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

json::Value to_json(const Comparison& comparison) {
  json::Value out = report_object("Comparison");
  out.set("subject", subject_json(comparison.subject));
  out.set("before", to_json(comparison.is_new ? StateAnswer() : comparison.before));
  if (comparison.is_new) out.set("beforeWithIt", to_json(comparison.before));
  out.set("after", to_json(comparison.after));
  out.set("changes", comparison.changes);
  json::Value decisive = json::Value::array();
  for (const ObjectChange& one : comparison.decisive)
    decisive.push(to_json(one));
  out.set("decisive", std::move(decisive));
  if (comparison.rests_on_expired_events()) out.set("untold", true);
  if (comparison.bounded) out.set("bounded", true);
  add_coverage(out, comparison.coverage);
  return out;
}

view::Document to_view(const Comparison& comparison) {
  view::Document document;
  const bool same = comparison.before.same_as(comparison.after);
  document.add(view::Fields{.fields = {{"before", {span(words_before(comparison))}},
                                       {"now", {span(words_now(comparison.after))}}}});
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
  for (const ObjectChange& one : comparison.decisive) {
    const auto name = name_subjects({subject_of(one.object)},
                                    {api::info_of(one.object.kind).name, {}}, diag::Detail::Screen);
    document.add(view::Paragraph{
        .spans = {span(name + ": ", view::Tone::Strong), span(words_of(one))}, .indent = 2});
  }
  if (comparison.rests_on_expired_events())
    document.add(
        view::Paragraph{.spans = {span(sentence(base::format("But {}", kExpiredEvents)))}});
  return document;
}

}  // namespace dra::report
