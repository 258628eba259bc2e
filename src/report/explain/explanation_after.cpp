// src/report/explain/explanation_after.cpp: one block for each finding: its message, its evidence,
// its remedy.

#include "src/report/explain/explanation_after.h"

#include <algorithm>

#include "dra/answers/explain/after_remedy.h"
#include "dra/answers/explain/headline.h"
#include "dra/base/printable.h"
#include "dra/base/text.h"
#include "dra/diag/subject_words.h"
#include "dra/report/describe/describe_parts.h"
#include "dra/report/phrases/reason_json.h"
#include "dra/report/phrases/remedy.h"
#include "dra/report/phrases/words.h"

namespace dra::report {
namespace {

using engine::AfterFinding;
using view::Tone;

// Limits of the output that is not wide:
constexpr std::size_t kMaxFact = 200;  // cells of one piece of evidence
constexpr std::size_t kMaxFacts = 5;
constexpr std::size_t kMaxFindings = 3;

json::Value fact_json(const diag::Fact& fact) {
  json::Value out = json::Value::object();
  if (!fact.about.empty()) out.set("about", fact.about);
  out.set("text", fact.text);
  if (fact.at) out.set("time", base::format_rfc3339(*fact.at));
  return out;
}

json::Value finding_json(const AfterFinding& found) {
  const diag::Finding& finding = found.finding;
  json::Value out = json::Value::object();
  out.set("code", diag::name_of(finding.code));
  if (!finding.subjects.empty()) out.set("claim", full_name(finding.subjects.front()));
  if (found.devices > 0) out.set("devices", found.devices);
  if (!found.examples.empty()) out.set("examples", strings_json(found.examples));
  out.set("certainty", diag::name_of(finding.certainty));
  out.set("message", finding.message);
  out.set("fails", engine::name_of(found.fails));
  if (!found.driver.empty()) out.set("driver", found.driver);
  if (!found.node.empty()) out.set("node", found.node);
  json::Value facts = json::Value::array();
  for (const diag::Fact& fact : finding.evidence)
    facts.push(fact_json(fact));
  out.set("facts", std::move(facts));
  const diag::Remedy remedy = answers::remedy_of(found);
  out.set("remedy", remedy.text);
  if (!remedy.command.empty()) out.set("command", remedy.command);
  return out;
}

void add_facts(view::Document& document, const AfterFinding& found,
               const ExplainViewOptions& options) {
  view::Fields fields{.fields = {}, .indent = 4};
  const std::size_t shown = options.wide ? found.finding.evidence.size()
                                         : std::min(found.finding.evidence.size(), kMaxFacts);
  for (std::size_t i = 0; i < shown; ++i) {
    const diag::Fact& fact = found.finding.evidence[i];
    const std::string text =
        options.wide ? fact.text : base::fit(base::printable(fact.text), kMaxFact);
    const std::string when = fact.at ? base::format("  ({})", ago(fact.at, options.now)) : "";
    fields.fields.push_back({fact.about, {span(text), span(when, Tone::Dim)}});
  }
  if (!fields.fields.empty()) document.add(std::move(fields));
}

}  // namespace

json::Value after_json(const Explanation& explanation) {
  json::Value out = json::Value::array();
  for (const AfterFinding& found : explanation.after)
    out.push(finding_json(found));
  return out;
}

void add_after(view::Document& document, const Explanation& explanation,
               const ExplainViewOptions& options) {
  const auto& after = explanation.after;
  const std::size_t shown = options.wide ? after.size() : std::min(after.size(), kMaxFindings);
  for (std::size_t i = 0; i < shown; ++i) {
    const AfterFinding& found = after[i];
    const bool in_summary = options.above == nullptr &&
                            explanation.cause.find(found.finding.message) != std::string::npos;
    const bool said = i == 0 && (explanation.cause_is_after || in_summary);
    const std::string_view title =
        found.title.empty() ? diag::info_of(found.finding.code).title : found.title;
    document.add(view::Paragraph{
        .spans = {span(answers::capitalized(std::string(title)), Tone::Strong),
                  span(base::format(" ({})", diag::name_of(found.finding.code)), Tone::Dim),
                  span(said ? "" : base::format(": {}", found.finding.message))},
        .indent = 2});
    if (i > 0 && !options.wide) continue;
    add_facts(document, found, options);
    add_remedy(document, answers::remedy_of(found), options.flags);
  }
  if (shown < after.size()) {
    document.add(view::Paragraph{
        .spans = {span(base::format("and {} more: -o wide", after.size() - shown), Tone::Dim)},
        .indent = 2});
  }
}

}  // namespace dra::report
