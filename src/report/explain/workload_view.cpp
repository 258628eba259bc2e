// src/report/explain/workload_view.cpp: presents a workload's explanation as JSON and as text. It
// arranges facts and computes none.

#include "dra/answers/explain/missing_pods_words.h"
#include "dra/api/subject.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/report/phrases/envelope.h"
#include "dra/report/phrases/reason_json.h"
#include "dra/report/phrases/remedy.h"
#include "dra/report/phrases/subject_json.h"
#include "dra/report/phrases/words.h"
#include "src/report/explain/workload_words.h"

namespace dra::report {
namespace {

using view::Tone;

constexpr std::size_t kMaxNodes = 3;   // named nodes, except in wide output
constexpr std::size_t kMaxCauses = 4;  // named causes after the first, except in wide output

// How many pods fit after each piece of advice for the first cause's first pod, by its index.
json::Value pods_then_json(const std::vector<std::optional<PodsThen>>& pods_then) {
  json::Value out = json::Value::array();
  for (std::size_t i = 0; i < pods_then.size(); ++i) {
    if (!pods_then[i]) continue;
    json::Value then = json::Value::object();
    then.set("advice", i);
    then.set("wanted", pods_then[i]->wanted);
    then.set("fit", pods_then[i]->fit);
    if (pods_then[i]->at_least) then.set("atLeast", true);
    out.push(std::move(then));
  }
  return out;
}

json::Value role_json(const RoleFit& role) {
  json::Value out = json::Value::object();
  if (!role.name.empty()) out.set("template", role.name);
  out.set("wanted", role.wanted);
  if (role.together > 1) out.set("together", role.together);
  out.set("fit", role.fit.known ? json::Value(role.fit.fit) : json::Value());
  if (!role.fit.known) out.set("unknownBecause", role.fit.unknown_because);
  if (!role.fit.complete) out.set("atLeast", true);
  json::Value nodes = json::Value::array();
  for (const auto& [name, pods] : role.fit.nodes) {
    json::Value node = json::Value::object();
    node.set("name", name);
    node.set("pods", pods);
    nodes.push(std::move(node));
  }
  out.set("nodes", std::move(nodes));
  return out;
}

Tone tone_of_workload(Verdict verdict) {
  if (verdict == Verdict::Undetermined) return Tone::Warn;
  return verdict == Verdict::Fits || verdict == Verdict::Scheduled ? Tone::Good : Tone::Bad;
}

std::string counts_of(const WorkloadExplanation& explanation) {
  if (explanation.made && explanation.missing) return "none";
  if (explanation.made && explanation.role.empty())
    return "none yet; below, what its template would make";
  if (explanation.made)
    return base::format("none yet; below, what template {} would make", explanation.role);
  return base::format("{}: {} with a node, {} waiting", explanation.running + explanation.waiting,
                      explanation.running, explanation.waiting);
}

// Adds the other causes; the first is explained in full.
void add_causes(view::Fields& fields, const WorkloadExplanation& explanation, bool wide) {
  const auto& causes = explanation.causes;
  for (std::size_t i = 1; i < causes.size(); ++i) {
    if (!wide && i > kMaxCauses) {
      const auto more = static_cast<std::int64_t>(causes.size() - i);
      fields.fields.push_back(
          {"",
           {span(base::format("and {}: -o wide", base::plural(more, "more cause")), Tone::Dim)}});
      break;
    }
    const auto& pods = causes[i].pods;
    fields.fields.push_back(
        {i == 1 ? "also" : "",
         {span(base::format("{}{} {}", pods.front()->meta.name,
                            pods.size() == 1 ? "" : base::format(" and {} more", pods.size() - 1),
                            predicate_of(causes[i], pods.size() == 1)))}});
  }
  if (explanation.not_looked_at > 0)
    fields.fields.push_back(
        {"",
         {span(base::format("{} more wait, and were not looked at", explanation.not_looked_at),
               Tone::Dim)}});
}

view::Document head_of(const WorkloadExplanation& explanation, const ExplainViewOptions& options) {
  const bool wide = options.wide;
  view::Document document;
  document.add(
      view::Paragraph{.spans = {span(explanation.summary, tone_of_workload(explanation.verdict))}});
  document.add(view::Blank{});
  if (explanation.missing) {
    add_remedy(document, answers::remedy_of(*explanation.missing), options.flags);
    document.add(view::Blank{});
  }
  view::Fields fields{.fields = {}, .indent = 2};
  fields.fields.push_back({"pods", {span(counts_of(explanation))}});
  for (const RoleFit& role : explanation.roles) {
    fields.fields.push_back(
        {role.name.empty() ? "room" : base::format("room for {}", role.name),
         {span(room_of(explanation, role, wide ? role.fit.nodes.size() : kMaxNodes))}});
  }
  add_causes(fields, explanation, wide);
  document.add(std::move(fields));
  const bool waits = !explanation.causes.empty() && !explanation.made;
  if (waits || !explanation.unwell.empty()) {
    const answers::PodsOfCause& first =
        waits ? explanation.causes.front() : explanation.unwell.front();
    const std::string command =
        command_for("explain", "pod", subject_of("Pod", first.pods.front()->meta));
    add_command(document, "One pod: ", diag::kubectl_dra(command).flags(options.flags).text());
  }
  document.add(view::Blank{});
  return document;
}

}  // namespace

json::Value to_json(const WorkloadExplanation& explanation) {
  json::Value out = report_object("WorkloadExplanation");
  out.set("subject", subject_json(explanation.subject));
  out.set("verdict", name_of(explanation.verdict));
  out.set("summary", explanation.summary);
  json::Value pods = json::Value::object();
  pods.set("total", explanation.running + explanation.waiting);
  pods.set("running", explanation.running);
  pods.set("waiting", explanation.waiting);
  if (explanation.made) pods.set("fromTemplate", true);
  if (!explanation.role.empty()) pods.set("template", explanation.role);
  if (explanation.not_looked_at > 0) pods.set("notLookedAt", explanation.not_looked_at);
  out.set("pods", std::move(pods));
  json::Value causes = json::Value::array();
  for (const answers::PodsOfCause& alike : explanation.causes) {
    json::Value cause = json::Value::object();
    cause.set("count", alike.pods.size());
    cause.set("pods", pods_json(alike.pods));
    cause.set("explanation", to_json(alike.explanation));
    causes.push(std::move(cause));
  }
  out.set("causes", std::move(causes));
  if (explanation.roles.size() == 1) out.set("replicas", role_json(explanation.roles.front()));
  if (explanation.roles.size() > 1) {
    json::Value templates = json::Value::array();
    for (const RoleFit& role : explanation.roles)
      templates.push(role_json(role));
    out.set("templates", std::move(templates));
  }
  if (explanation.missing) {
    json::Value missing = json::Value::object();
    missing.set("why", name_of(explanation.missing->why));
    missing.set("object", subject_json(explanation.missing->object));
    if (!explanation.missing->message.empty()) missing.set("message", explanation.missing->message);
    if (explanation.missing->field_dropped)
      missing.set("webhooks", strings_json(explanation.missing->webhooks));
    out.set("notCreated", std::move(missing));
  }
  if (!explanation.pods_then.empty())
    out.set("followingAdvice", pods_then_json(explanation.pods_then));
  add_coverage(out, explanation.coverage);
  return out;
}

view::Document to_view(const WorkloadExplanation& explanation, const ExplainViewOptions& options) {
  view::Document head = head_of(explanation, options);
  const bool only_missing = explanation.missing && explanation.made && !options.wide;
  if (explanation.causes.empty() || only_missing) return head;
  ExplainViewOptions below = options;
  below.above = &head;
  const std::vector<std::optional<PodsThen>> nothing;
  const bool several = explanation.made
                           ? explanation.roles.size() == 1 && explanation.roles.front().wanted > 1
                           : explanation.waiting > 1;
  if (several) below.pods_then = explanation.pods_then.empty() ? &nothing : &explanation.pods_then;
  return to_view(explanation.causes.front().explanation, below);
}

}  // namespace dra::report
