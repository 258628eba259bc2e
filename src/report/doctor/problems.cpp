// src/report/doctor/problems.cpp: see problems.h.

#include "dra/report/doctor/problems.h"

#include <algorithm>

#include "dra/base/text.h"
#include "dra/diag/subject.h"
#include "dra/report/phrases/advice_edits.h"
#include "dra/report/phrases/advice_words.h"
#include "dra/report/phrases/remedy.h"
#include "dra/report/phrases/subject_json.h"

namespace dra::report {
namespace {

TriedAdvice tried(const answers::Explanation& explanation, std::size_t index) {
  const engine::Advice& advice = explanation.help->advice.advice[index];
  const auto& facts = explanation.help->advice_facts[index];
  TriedAdvice tried{index + 1, advice_words(advice, facts), gain_words(advice), {}};
  for (AdviceEdit& edit : edits_for(advice, facts, explanation.subject, explanation.server))
    tried.commands.push_back(std::move(edit.command));
  return tried;
}

// What to do, in words: what was tried, or the remedy of the problem or of its code.
std::string advice_words(const answers::Problem& problem, const std::vector<TriedAdvice>& tried) {
  if (tried.empty()) return advice_of(problem);
  std::vector<std::string> parts;
  parts.reserve(tried.size());
  for (const TriedAdvice& one : tried)
    parts.push_back(base::format("{}: {}", one.words, one.gain));
  return base::format("Tried: {}.{}{}", base::join(parts, "; or "),
                      problem.remedy.text.empty() ? "" : " ", problem.remedy.text);
}

}  // namespace

std::vector<TriedAdvice> tried_for(const answers::Problem& problem) {
  std::vector<TriedAdvice> best;
  if (!problem.explained) return best;
  for (std::size_t i = 0; i < problem.explained->help->advice.advice.size(); ++i) {
    TriedAdvice one = tried(*problem.explained, i);
    const bool last = !one.commands.empty();
    if (i == 0 || last) best.push_back(std::move(one));
    if (last) break;
  }
  return best;
}

json::Value to_json(const answers::Problem& problem, const OverviewSource& source) {
  json::Value out = json::Value::object();
  out.set("code", diag::name_of(problem.finding.code));
  out.set("severity", name_of(problem.finding.severity));
  out.set("subject", subject_json(problem.finding.subjects.front()));
  if (problem.finding.subjects.size() > 1) {
    json::Value subjects = json::Value::array();
    for (const diag::SubjectName& subject : problem.finding.subjects)
      subjects.push(subject_json(subject));
    out.set("subjects", std::move(subjects));
  }
  out.set("message", problem.finding.message);
  const std::vector<TriedAdvice> all = tried_for(problem);
  out.set("advice", advice_words(problem, all));
  json::Value tried = json::Value::array();
  for (const TriedAdvice& one : all) {
    json::Value& advice = tried.push(json::Value::object());
    advice.set("message", one.words);
    advice.set("gain", one.gain);
    json::Value commands = json::Value::array();
    for (const std::string& line : one.commands)
      commands.push(line);
    if (!one.commands.empty()) advice.set("commands", std::move(commands));
  }
  if (!tried.items().empty()) out.set("tried", std::move(tried));
  if (!problem.step_command.empty())
    out.set("adviceCommand", to_paste(problem.step_command, source.flags));
  out.set("command", source.command(problem.remedy.command));
  return out;
}

}  // namespace dra::report
