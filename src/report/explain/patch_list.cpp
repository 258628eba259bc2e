// src/report/explain/patch_list.cpp: the text of a script is never wrapped, and nothing of a
// cluster stands in it outside of comments and quoted words.

#include "dra/report/explain/patch_list.h"

#include <string>
#include <utility>
#include <vector>

#include "dra/answers/explain/refusal.h"
#include "dra/base/text.h"
#include "dra/report/phrases/advice_edits.h"
#include "dra/report/phrases/advice_words.h"
#include "dra/report/phrases/envelope.h"
#include "dra/report/phrases/subject_json.h"
#include "dra/report/phrases/words.h"

namespace dra::report {
namespace {

using answers::Explanation;

std::string answer_words(const Explanation& explanation) {
  const auto refusal = answers::refusal_of(explanation);
  return refusal ? refusal->summary : explanation.headline.text();
}

std::size_t count_of(const Explanation& explanation) {
  return explanation.help ? explanation.help->advice.advice.size() : 0;
}

std::vector<AdviceEdit> edits_of(const Explanation& explanation, std::size_t advice) {
  return edits_for(explanation.help->advice.advice[advice], explanation.help->advice_facts[advice],
                   explanation.subject, explanation.server);
}

class Script {
 public:
  explicit Script(const Explanation& explanation) : explanation_(explanation) {}

  view::Document write() {
    comment(answer_words(explanation_));
    for (std::size_t i = 0; i < count_of(explanation_); ++i)
      add(i, edits_of(explanation_, i));
    if (!active_) {
      lines_.emplace_back();
      comment(explanation_.verdict == answers::Verdict::DoesNotFit
                  ? "No edit of an object makes it fit, of all that were tried."
                  : "There is nothing to patch.");
    }
    view::Document document;
    document.add(view::Verbatim{.lines = std::move(lines_), .command = true});
    return document;
  }

 private:
  void add(std::size_t advice, const std::vector<AdviceEdit>& edits) {
    const engine::Advice& one = explanation_.help->advice.advice[advice];
    const auto& facts = explanation_.help->advice_facts[advice];
    lines_.emplace_back();
    comment(base::format("{}{}. {} (then it {})", active_ ? "or " : "", advice + 1,
                         advice_words(one, facts), gain_words(one)));
    if (edits.empty()) return comment("   No command does this.");
    const std::string lasting = lasting_words(facts);
    if (!lasting.empty()) comment("   " + lasting);
    const bool runs = !std::exchange(active_, true);
    for (const AdviceEdit& edit : edits)
      lines_.push_back({{(runs ? "" : "# ") + edit.command}});
  }

  void comment(const std::string& text) {
    lines_.push_back({{"# " + one_line(text), view::Tone::Dim}});
  }

  const Explanation& explanation_;
  std::vector<std::vector<view::Span>> lines_;
  bool active_ = false;  // a piece of advice above is carried out
};

}  // namespace

json::Value patches_json(const Explanation& explanation) {
  json::Value out = report_object("PatchList");
  out.set("subject", subject_json(explanation.subjects.front()));
  out.set("verdict", name_of(explanation.verdict));
  out.set("summary", answer_words(explanation));
  json::Value items = json::Value::array();
  for (std::size_t i = 0; i < count_of(explanation); ++i) {
    const engine::Advice& advice = explanation.help->advice.advice[i];
    const auto& facts = explanation.help->advice_facts[i];
    json::Value edits = json::Value::array();
    for (const AdviceEdit& edit : edits_of(explanation, i))
      edits.push(edit_json(edit));
    if (edits.items().empty()) continue;
    json::Value item = json::Value::object();
    item.set("advice", i + 1);
    item.set("code", engine::name_of(engine::means_of(advice.changes.front())));
    item.set("message", advice_words(advice, facts));
    item.set("nodes", advice.nodes);
    const std::string lasting = lasting_words(facts);
    if (!lasting.empty()) item.set("lasting", lasting);
    item.set("edits", std::move(edits));
    items.push(std::move(item));
  }
  out.set("items", std::move(items));
  add_coverage(out, explanation.coverage);
  return out;
}

view::Document patches_view(const Explanation& explanation) { return Script(explanation).write(); }

}  // namespace dra::report
