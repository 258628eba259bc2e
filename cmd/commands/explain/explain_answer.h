// cmd/commands/explain/explain_answer.h: how explanations are printed, and what exit code they
// give.

#pragma once

#include <string>

#include "cmd/command.h"
#include "cmd/page.h"
#include "dra/json/value.h"
#include "dra/report/explain/explanation.h"

namespace dra::cmd {

// Flags of `explain` that are about its answer.
struct AnswerFlags {
  std::string format;  // of --output
  bool exit_zero = false;

  bool wide() const { return format == "wide" || is_page(format); }
};

// What is said of one subject, or of several.
struct SubjectAnswer {
  ExitCode exit;
  json::Value json;
  view::Document text;
};

ExitCode exit_code_of(report::Verdict verdict);

SubjectAnswer answer_of(const Context& context, const snapshot::Snapshot& snapshot,
                        const report::Explanation& explanation, const AnswerFlags& flags);

// Several are a list; the exit code is that of the worst.
Result<ExitCode> print_answers(const Context& context, std::vector<SubjectAnswer> answers,
                               const AnswerFlags& flags, base::Instant now);

// One report, with the exit code as it is.
Result<ExitCode> print_report(const Context& context, const SubjectAnswer& answer,
                              const AnswerFlags& flags, base::Instant now);

}  // namespace dra::cmd
