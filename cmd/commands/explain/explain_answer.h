// cmd/commands/explain/explain_answer.h: prints explanations, and chooses the exit code.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/command.h"
#include "cmd/report_output.h"
#include "dra/json/value.h"
#include "dra/report/explain/explanation.h"

namespace dra::cmd {

// The flags of `explain` and `plan` that decide how the answer is printed.
struct AnswerFlags {
  const ReportOutput& output;
  bool exit_zero = false;
  bool patches = false;  // only the patches of the advice
  std::string_view command = "explain";

  bool wide() const { return output.wide(); }
  bool structured() const { return output.structured(); }
};

// The explanation of one subject: only the form that the flags ask for is there.
struct SubjectAnswer {
  ExitCode exit = ExitCode::Done;
  json::Value json = {};
  view::Document text = {};
};

// Calls the one of the two functions that is needed.
template <class Json, class Text>
SubjectAnswer make_answer(ExitCode exit, const AnswerFlags& flags, Json json, Text text) {
  if (flags.structured()) return {.exit = exit, .json = json()};
  return {.exit = exit, .text = text()};
}

ExitCode exit_code_of(report::Verdict verdict);
// `refusal`: the code of what the scheduler has against a pod that fits, if it has anything.
ExitCode exit_code_of(const report::Explanation& explanation, std::optional<diag::Code> refusal);
// That of the subject with the worst news.
ExitCode worse_of(ExitCode one, ExitCode other);

report::ExplainViewOptions view_options(const Context& context, const snapshot::Snapshot& snapshot,
                                        const AnswerFlags& flags);

SubjectAnswer answer_of(const Context& context, const snapshot::Snapshot& snapshot,
                        const report::Explanation& explanation, const AnswerFlags& flags);

// Several answers become a list. The exit code is that of the worst.
Result<ExitCode> print_answers(const Context& context, std::vector<SubjectAnswer> answers,
                               const AnswerFlags& flags, base::Instant now);

// Prints one report and returns its exit code.
Result<ExitCode> print_report(const Context& context, const SubjectAnswer& answer,
                              const AnswerFlags& flags, base::Instant now);

}  // namespace dra::cmd
