// cmd/commands/explain/explain_compare.cpp: reads the older state and prints the comparison.

#include "cmd/commands/explain/explain_compare.h"

#include <vector>

#include "cmd/commands/explain/explain_subject.h"
#include "dra/answers/diff/comparison.h"
#include "dra/base/text.h"
#include "dra/report/diff/diff_report.h"

namespace dra::cmd {

Result<ExitCode> explain_compared(Context& context, const snapshot::Snapshot& now,
                                  const engine::Wanted& wanted, const std::string& file,
                                  const AnswerFlags& flags) {
  if (file == "-" && context.source().files == std::vector<std::string>{"-"})
    return Error{.kind = ErrorKind::BadInput,
                 .message = "standard input cannot be both --snapshot and --compare",
                 .hint = {}};
  snapshot::Source source;
  source.files = {file};
  source.standard_input = context.console().streams.read_input;
  auto needs = needs_of_pods(wanted.namespace_);
  needs.push_back({.kind = api::Kind::Event, .namespace_ = wanted.namespace_});
  if (wanted.pod.empty()) std::erase_if(needs, [](const auto& need) { return need.essential; });
  auto before = DRA_TRY(snapshot::load(source, needs).context("--compare"));
  const answers::Comparison comparison = answers::compare(before, now, wanted);
  if (!comparison.before.exists && !comparison.after.exists)
    return Error{.kind = ErrorKind::NotFound,
                 .message = base::format("{}/{} is in neither of the two states", wanted.namespace_,
                                         comparison.subject.name),
                 .hint = "-n names another namespace"};
  const ExitCode exit =
      comparison.after.exists ? exit_code_of(comparison.after.verdict) : ExitCode::Found;
  const SubjectAnswer answer = make_answer(
      exit, flags, [&] { return report::to_json(comparison); },
      [&] { return report::to_view(comparison); });
  return print_report(context, answer, flags, context.now(now));
}

}  // namespace dra::cmd
