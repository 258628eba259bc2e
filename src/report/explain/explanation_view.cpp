// src/report/explain/explanation_view.cpp: presents an explanation as text. It arranges facts and
// computes none.

#include <algorithm>

#include "dra/answers/explain/blocker_remedy.h"
#include "dra/answers/explain/refusal.h"
#include "dra/base/printable.h"
#include "dra/base/prose.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/running/standstill.h"
#include "dra/report/describe/describe_parts.h"
#include "dra/report/explain/explanation.h"
#include "dra/report/lists/list_claims.h"
#include "dra/report/phrases/advice_words.h"
#include "dra/report/phrases/remedy.h"
#include "dra/report/phrases/words.h"
#include "dra/snapshot/template_pods.h"
#include "src/report/explain/explanation_advice.h"
#include "src/report/explain/explanation_after.h"
#include "src/report/explain/explanation_demands.h"
#include "src/report/explain/explanation_devices.h"
#include "src/report/explain/explanation_gang.h"
#include "src/report/explain/explanation_nodes.h"
#include "src/report/explain/explanation_obstacles.h"

namespace dra::report {
namespace {

using diag::Code;
using view::Tone;

// Limits of the output that is not wide:
constexpr std::size_t kMaxSchedulerWord = 200;  // cells of the scheduler's message
constexpr std::size_t kMaxClaims = 4;

class ViewBuilder {
 public:
  ViewBuilder(const Explanation& explanation, const ExplainViewOptions& options)
      : explanation_(explanation), options_(options) {}

  view::Document build() {
    headline();
    document_.title = title();
    if (!explanation_.devices.empty()) {
      blockers();
      add_devices(document_, explanation_, options_.wide);
      return std::move(document_);
    }
    if (is_broken_slice()) {
      add_after(document_, explanation_, options_);
      document_.add(view::Blank{});
    }
    add_advice(document_, explanation_, options_);
    what_is_known();
    blockers();
    if (explanation_.cause_is_after) add_after(document_, explanation_, options_);
    if (explanation_.verdict == Verdict::Scheduled) {
      if (!explanation_.cause_is_after) how_to_go_on();
      return std::move(document_);
    }
    if (waits_for_binding()) return std::move(document_);
    if (explanation_.cause_is_after) document_.add(view::Blank{});
    add_demands(document_, explanation_, options_.wide);
    const bool nodes_matter = explanation_.verdict != Verdict::Blocked || options_.wide;
    if (explanation_.nodes.empty() || !nodes_matter) return std::move(document_);
    add_nodes(document_, explanation_, options_.wide);
    if (!explanation_.cause_is_after && !explanation_.after.empty() && !is_broken_slice()) {
      document_.add(view::Blank{});
      add_after(document_, explanation_, options_);
    }
    add_allocation(document_, explanation_, options_.wide);
    add_obstacles(document_, explanation_, options_);
    return std::move(document_);
  }

 private:
  void headline();
  void remedy();
  std::string title() const;
  void refused(const answers::Refusal& refusal);
  void what_is_known();
  void add_scheduler(view::Fields& fields) const;
  std::string nodes_since(const SchedulerWord& word) const;
  void add_claims(view::Fields& fields) const;
  bool names_missing_class(const engine::SubjectClaim& claim) const;
  std::string describe_claim(const engine::SubjectClaim& claim) const;
  void how_to_go_on();
  void blockers();
  bool is_consequence(diag::Code code) const;
  bool waits_for_binding() const;
  bool is_broken_slice() const;

  const Explanation& explanation_;
  const ExplainViewOptions& options_;
  view::Document document_;
};

Tone tone_of_verdict(const Explanation& explanation) {
  if (explanation.cause_is_after) return Tone::Bad;
  switch (explanation.verdict) {
    case Verdict::Fits:
    case Verdict::Scheduled:
      return Tone::Good;
    case Verdict::DoesNotFit:
    case Verdict::Blocked:
      return Tone::Bad;
    case Verdict::Undetermined:
      return Tone::Warn;
  }
  return Tone::Plain;
}

// What stands in the headline is the state of the slice, so what to do about that comes first.
bool ViewBuilder::is_broken_slice() const {
  return explanation_.verdict == Verdict::DoesNotFit && !explanation_.after.empty() &&
         explanation_.code == explanation_.after.front().finding.code;
}

void ViewBuilder::headline() {
  if (options_.above != nullptr) {
    document_ = *options_.above;
    return remedy();
  }
  if (!explanation_.what_if.empty()) {
    std::vector<std::string> changes;
    for (std::size_t i = 0; i < explanation_.what_if.size(); ++i)
      changes.push_back(change_words(explanation_.what_if[i], explanation_.what_if_facts[i]));
    document_.add(view::Paragraph{
        .spans = {span("If " + base::join(changes, ", and ") + ":", Tone::Strong)}});
  }
  if (const auto refusal = answers::refusal_of(explanation_)) return refused(*refusal);
  document_.add(view::Paragraph{
      .spans = {span(explanation_.headline.text(), tone_of_verdict(explanation_))}});
  document_.add(view::Blank{});
  remedy();
}

void ViewBuilder::remedy() {
  if (explanation_.remedy.text.empty()) return;
  add_remedy(document_, explanation_.remedy, options_.flags);
  document_.add(view::Blank{});
}

// "Pod ml/train: Pending 60m": the headline goes on with the answer.
std::string ViewBuilder::title() const {
  if (options_.above != nullptr) return {};  // its first line is the matter
  if (const auto refusal = answers::refusal_of(explanation_)) return refusal->summary;
  const answers::Headline& headline = explanation_.headline;
  return explanation_.what_if.empty() ? headline.text() : headline.plain();
}

void ViewBuilder::refused(const answers::Refusal& refusal) {
  document_.add(view::Paragraph{.spans = {span(refusal.summary, Tone::Warn)}});
  document_.add(view::Blank{});
  if (explanation_.scheduler)
    document_.add(view::Paragraph{.spans = {span("The scheduler says: ", Tone::Strong),
                                            span(explanation_.scheduler->message)}});
  if (refusal.code == diag::Code::SchedulerDown) {
    const answers::RefusalCause& known = refusal.causes.front();
    add_remedy(document_, {base::sentence(known.text), known.commands.front()}, options_.flags);
    document_.add(view::Blank{});
    return;
  }
  document_.add(view::Paragraph{.spans = {span("What may be behind it:", Tone::Strong)}});
  for (const answers::RefusalCause& cause : refusal.causes) {
    document_.add(view::Paragraph{.spans = {span("- " + cause.text)}, .indent = 2, .hang = 4});
    for (const std::string& command : cause.commands)
      add_command(document_, command, 4);
  }
  document_.add(view::Blank{});
}

void ViewBuilder::add_scheduler(view::Fields& fields) const {
  if (!explanation_.scheduler || !explanation_.what_if.empty()) return;
  const SchedulerWord& word = *explanation_.scheduler;
  std::string text = without_preemption(word.message);
  if (word.reason == "SchedulerError") text = "error: " + text;
  if (!options_.wide) text = base::shorten_message(base::printable(text), kMaxSchedulerWord);
  std::vector<std::string> aside;
  if (word.since) aside.push_back(age_of(*word.since, options_.now) + " ago");
  if (word.agrees) aside.emplace_back(*word.agrees ? "agrees with this" : "differs from this");
  if (std::string nodes = nodes_since(word); !nodes.empty()) aside.push_back(std::move(nodes));
  const std::string joined = base::join(aside, ", ");
  const bool differs = word.agrees && !*word.agrees;
  fields.fields.push_back(
      {"scheduler",
       {span(text, differs ? Tone::Warn : Tone::Plain),
        span(joined.empty() ? "" : "  (" + joined + ")", differs ? Tone::Warn : Tone::Dim)}});
}

// The scheduler's message is about another number of nodes than exist now. Nodes without slices may
// not be visible.
std::string ViewBuilder::nodes_since(const SchedulerWord& word) const {
  const auto now = static_cast<std::int64_t>(explanation_.nodes.size());
  if (!word.nodes || explanation_.nodes_chosen || now == 0 || *word.nodes == now) return {};
  if (!explanation_.coverage.saw(api::Kind::Node)) return {};
  const std::int64_t more = now > *word.nodes ? now - *word.nodes : *word.nodes - now;
  return base::format("{} {} {} since", base::plural(more, "node"), more == 1 ? "has" : "have",
                      now > *word.nodes ? "joined" : "gone");
}

bool ViewBuilder::names_missing_class(const engine::SubjectClaim& claim) const {
  if (!explanation_.coverage.saw(api::Kind::Class)) return false;
  return std::ranges::any_of(
      claim.claim->spec.devices.requests, [this](const api::DeviceRequest& request) {
        return std::ranges::any_of(api::demands_of(request), [this](const api::NamedDemand& named) {
          return explanation_.classes.find(named.demand->device_class) == nullptr;
        });
      });
}

// "allocated, reserved for it": whether the pod may use the claim.
std::string state_for(const api::ResourceClaim& claim, std::string state, const api::Pod* pod) {
  const auto& consumers = claim.status.reserved_for;
  if (pod == nullptr || snapshot::is_planned(*pod) || !state.ends_with("reserved")) return state;
  if (std::ranges::find(consumers, pod->meta.uid, &api::Consumer::uid) != consumers.end())
    return state + " for it";
  const bool earlier = consumers.size() == 1 && consumers.front().is_pod() &&
                       consumers.front().name == pod->meta.name;
  return state + (earlier ? " for an earlier pod of its name" : " for others");
}

// A pod's claims are in its own namespace, which the first line has.
std::string ViewBuilder::describe_claim(const engine::SubjectClaim& claim) const {
  const bool brief = !options_.wide && claim.claim != nullptr &&
                     claim.namespace_ == explanation_.subjects.front().namespace_;
  const std::string label = brief ? std::string(claim.claim->meta.name) : claim.label();
  const api::Pod* pod = explanation_.subject.pod;
  const bool planned = pod != nullptr && snapshot::is_planned(*pod);
  if (planned && claim.claim != nullptr && !claim.template_name.empty())
    return base::format("as it would be made from template {}", claim.template_name);
  if (claim.claim != nullptr && snapshot::is_from_template(*claim.claim))
    return base::format("as it would be made from template {}, not created yet", claim.name);
  if (claim.claim != nullptr && snapshot::is_planned(*claim.claim))
    return base::format("{}, not created yet", label);
  if (claim.claim != nullptr) {
    const ClaimRow row = claim_row(*claim.claim, names_missing_class(claim));
    const std::string state = state_for(*claim.claim, claim_state_words(row.state), pod);
    std::string text = base::format("{}, {}", label, state);
    if (!claim.template_name.empty())
      text = base::format("{} (template {}), {}", label, claim.template_name, state);
    if (!claim.pod_group.empty()) text += base::format(", of pod group {}", claim.pod_group);
    if (!claim.claim->allocated()) return text;
    return text + base::format(": {} of {} on {}", row.devices, row.drivers, row.node);
  }
  if (claim.extended != nullptr)
    return "made by the scheduler, for " + base::join(claim.extended->resources, ", ");
  if (!claim.template_name.empty()) {
    if (pod != nullptr && pod->finished())
      return base::format("of template {}, gone since the pod has ended", claim.template_name);
    return base::format("to be made from template {}, not created", claim.template_name);
  }
  if (claim.name.empty()) return "names neither a claim nor a template";
  const bool unknown = claim.state == engine::ClaimState::Unknown;
  return base::format("{}, {}", claim.label(),
                      unknown ? "which cannot be read" : engine::name_of(claim.state));
}

void ViewBuilder::add_claims(view::Fields& fields) const {
  const auto& claims = explanation_.subject.claims;
  for (const engine::SubjectClaim& claim : claims) {
    const auto shown = static_cast<std::size_t>(&claim - claims.data());
    if (!options_.wide && shown == kMaxClaims && claims.size() > kMaxClaims + 1) {
      fields.fields.push_back(
          {"",
           {span(base::format("and {} more claims: -o wide", claims.size() - shown), Tone::Dim)}});
      break;
    }
    const std::string name =
        claim.pod_claim.empty() ? "claim" : base::format("claim {}", claim.pod_claim);
    fields.fields.push_back({name, {span(describe_claim(claim))}});
  }
}

void ViewBuilder::what_is_known() {
  view::Fields fields{.fields = {}, .indent = 2};
  if (!answers::refusal_of(explanation_)) add_scheduler(fields);
  add_claims(fields);
  const auto& gang = explanation_.gang;
  if (gang)
    fields.fields.push_back({"gang " + gang->name, {span(gang_words(*gang, options_.wide))}});
  const api::Pod* pod = explanation_.subject.pod;
  if (pod != nullptr && pod->meta.deleted)
    fields.fields.push_back({"deletion", {span(deletion_words(pod->meta, options_.now))}});
  if (pod != nullptr && !snapshot::is_planned(*pod) && !explanation_.scheduler && !gang &&
      explanation_.verdict == Verdict::Blocked) {
    fields.fields.push_back(
        {"scheduler",
         {span("no message, as expected: it does not queue a pod in this state", Tone::Dim)}});
  }
  if (explanation_.unused)
    fields.fields.push_back(
        {"pods", {span("none uses this claim: it is allocated only when one does")}});
  if (fields.fields.empty()) return;
  document_.add(std::move(fields));
  document_.add(view::Blank{});
}

// A pod with devices may still not run, for reasons other than scheduling; this names where to
// look.
void ViewBuilder::how_to_go_on() {
  const api::Pod* pod = explanation_.subject.pod;
  if (pod == nullptr || pod->status.phase.empty() || pod->finished() ||
      api::is_true(pod->status.conditions, "Ready"))
    return;
  const std::string status = engine::pod_status(*pod);
  std::string words = engine::what_it_waits_for(*pod, options_.now);
  words = !words.empty()        ? words + ": "
          : status == "Running" ? std::string("It runs, and is not ready: ")
                                : base::format("It is not running and ready ({}): ", status);
  add_command(document_, words,
              diag::kubectl_dra("describe pod")
                  .name(pod->meta.name)
                  .in(pod->meta.namespace_)
                  .flags(options_.flags)
                  .text());
}

// The pod waits for binding, so its node is chosen and other nodes do not matter.
bool ViewBuilder::waits_for_binding() const {
  return explanation_.cause_is_after && !options_.wide &&
         explanation_.after.front().fails == engine::Fails::Bind;
}

// A missing template explains why a claim was not created, and the controller's message about it.
bool ViewBuilder::is_consequence(Code code) const {
  const auto& blockers = explanation_.blockers;
  const auto there = [&blockers](Code cause) {
    return std::ranges::find(blockers, cause, &diag::Reason::code) != blockers.end();
  };
  const bool no_claim = there(Code::TemplateMissing) || there(Code::AdminAccessNotAllowed);
  if (code == Code::ClaimNotCreated) return no_claim || there(Code::ClaimCreationFailed);
  return code == Code::ClaimCreationFailed && no_claim;
}

void ViewBuilder::blockers() {
  if (explanation_.blockers.empty()) return;
  // What is behind a scheduler's refusal has been said.
  const bool of_scheduler = std::ranges::all_of(
      explanation_.blockers,
      [](const diag::Reason& reason) { return reason.code == Code::OtherScheduler; });
  if (of_scheduler && answers::refusal_of(explanation_)) return;
  view::Fields reasons{.fields = {}, .indent = 2};
  std::vector<Remedy> remedies;
  for (const diag::Reason& reason : explanation_.blockers) {
    if (!options_.wide && is_consequence(reason.code)) continue;
    const std::string where =
        reason.request.empty() ? "" : base::format("request {}: ", reason.request);
    const bool said = explanation_.cause.starts_with(reason.message) && options_.above == nullptr;
    reasons.fields.push_back({std::string(diag::name_of(reason.code)),
                              {span(said ? std::string() : where + reason.message)}});
    Remedy remedy = answers::remedy_of_blocker(reason, explanation_);
    if (!is_consequence(reason.code) && std::ranges::find(remedies, remedy) == remedies.end()) {
      remedies.push_back(std::move(remedy));
    }
  }
  // The only one that the first line states is but a code, which goes behind what to do.
  const bool is_bare =
      reasons.fields.size() == 1 && reasons.fields.front().value.front().text.empty();
  if (is_bare && !remedies.empty()) {
    remedies.front().text += base::format("  ({})", reasons.fields.front().name);
  } else {
    document_.add(std::move(reasons));
    document_.add(view::Blank{});
  }
  for (const Remedy& remedy : remedies)
    add_remedy(document_, remedy, options_.flags);
  document_.add(view::Blank{});
}

}  // namespace

view::Document to_view(const Explanation& explanation, const ExplainViewOptions& options) {
  return ViewBuilder(explanation, options).build();
}

}  // namespace dra::report
