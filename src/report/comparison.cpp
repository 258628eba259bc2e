// src/report/comparison.cpp: see comparison.h.

#include "dra/report/comparison.h"

#include <algorithm>

#include "dra/base/minimal_set.h"
#include "dra/base/text.h"
#include "dra/report/list.h"
#include "src/report/subject_json.h"
#include "src/report/words.h"

namespace dra::report {
namespace {

using snapshot::Difference;
using snapshot::Fate;

constexpr int kMaxStates = 200;  // between the two that are looked at

StateAnswer answer_of(const Explanation& explanation) {
  return {.exists = true,
          .verdict = explanation.verdict,
          .code = explanation.code,
          .summary = explanation.summary};
}

StateAnswer answer_in(const snapshot::Snapshot& state, const engine::Wanted& wanted) {
  const engine::Inventory inventory(state);
  const engine::NodeLoads loads(state);
  if (wanted.pod.empty())
    return answer_of(explain_claims(state, inventory, loads, wanted.namespace_, wanted.claims));
  const api::Pod* pod = state.find<api::Pod>(wanted.namespace_, wanted.pod);
  return pod == nullptr ? StateAnswer() : answer_of(explain_pod(state, inventory, loads, *pod));
}

SubjectName name_of(const engine::Wanted& wanted) {
  if (!wanted.pod.empty()) return {"Pod", wanted.namespace_, wanted.pod};
  return {"ResourceClaim", wanted.namespace_,
          wanted.claims.empty() ? std::string() : wanted.claims.front()};
}

std::string_view word_of(Fate fate) {
  switch (fate) {
    case Fate::Added:
      return "added";
    case Fate::Removed:
      return "removed";
    case Fate::Changed:
      return "changed";
  }
  return "";
}

std::string full_name(const Difference& one) {
  return one.namespace_.empty() ? std::string(one.name)
                                : base::format("{}/{}", one.namespace_, one.name);
}

// What of it matters most, in a few words.
class Detail {
 public:
  Detail(const snapshot::Snapshot& before, const snapshot::Snapshot& after)
      : before_(before), after_(after) {}

  std::string of(const Difference& one) const {
    const auto* was = claim_in(before_, one);
    const auto* is = claim_in(after_, one);
    if (is != nullptr && is->allocated() && (was == nullptr || !was->allocated()))
      return "allocated" + users(*is);
    if (was != nullptr && was->allocated() && (is == nullptr || !is->allocated()))
      return std::string(one.fate == Fate::Removed ? "removed" : "not allocated any more") +
             ", before it was allocated" + users(*was);
    if (one.kind == api::Kind::Slice && one.fate == Fate::Changed) return slice(one);
    return std::string(word_of(one.fate));
  }

 private:
  static const api::ResourceClaim* claim_in(const snapshot::Snapshot& state,
                                            const Difference& one) {
    return one.kind == api::Kind::Claim ? state.find<api::ResourceClaim>(one.namespace_, one.name)
                                        : nullptr;
  }
  static std::string users(const api::ResourceClaim& claim) {
    return claim.status.reserved_for.empty() ? std::string(", reserved by nobody")
                                             : " for " + consumers_of(claim, 2);
  }
  std::string slice(const Difference& one) const {
    const auto& was = before_.find<api::ResourceSlice>(one.name)->spec;
    const auto& is = after_.find<api::ResourceSlice>(one.name)->spec;
    if (was.devices.size() != is.devices.size())
      return base::format("{} instead of {}",
                          base::plural(static_cast<std::int64_t>(is.devices.size()), "device"),
                          was.devices.size());
    if (was.pool.generation != is.pool.generation)
      return base::format("generation {} instead of {}", is.pool.generation, was.pool.generation);
    return "changed";
  }

  const snapshot::Snapshot& before_;
  const snapshot::Snapshot& after_;
};

json::Value to_json(const StateAnswer& answer) {
  json::Value out = json::Value::object();
  out.set("exists", answer.exists);
  if (!answer.exists) return out;
  out.set("verdict", name_of(answer.verdict));
  if (answer.code) out.set("code", diag::name_of(*answer.code));
  out.set("summary", answer.summary);
  return out;
}

std::string words_of(const StateAnswer& answer) {
  return answer.exists ? answer.summary : "It was not there.";
}

}  // namespace

Comparison compare(const snapshot::Snapshot& before, const snapshot::Snapshot& after,
                   const engine::Wanted& wanted) {
  Comparison result{.subject = name_of(wanted),
                    .before = answer_in(before, wanted),
                    .after = answer_in(after, wanted),
                    .decisive = {}};
  const auto all = snapshot::differences(before, after);
  result.changes = all.size();
  if (result.before.same_as(result.after)) return result;
  int left = kMaxStates;
  const auto leads_there = [&](const std::vector<Difference>& taken) {
    if (left == 0) result.bounded = true;
    return left-- > 0 &&
           answer_in(snapshot::mixed(before, after, taken), wanted).same_as(result.after);
  };
  // Another release or what could not be read may be the difference.
  if (!leads_there(all) || leads_there({})) return result;
  auto decisive = base::minimal_set(all, leads_there);
  if (result.bounded || !leads_there(decisive)) {
    result.bounded = true;
  } else {
    result.decisive = std::move(decisive);
  }
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
  const Detail detail(before, after);
  for (const Difference& one : comparison.decisive) {
    json::Value change = json::Value::object();
    change.set("kind", api::info_of(one.kind).name);
    if (!one.namespace_.empty()) change.set("namespace", one.namespace_);
    change.set("name", one.name);
    change.set("fate", word_of(one.fate));
    change.set("message", detail.of(one));
    decisive.push(std::move(change));
  }
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
  const Detail detail(before, after);
  for (const Difference& one : comparison.decisive) {
    document.add(view::Paragraph{
        .spans = {span(base::format("{} {}: ", api::info_of(one.kind).name, full_name(one)),
                       view::Tone::Strong),
                  span(detail.of(one))},
        .indent = 2});
  }
  return document;
}

}  // namespace dra::report
