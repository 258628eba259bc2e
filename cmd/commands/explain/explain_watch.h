// cmd/commands/explain/explain_watch.h
//
// `explain --watch`: the answer, and then a line for each change of the verdict or its reason, with
// the time. `explain --wait-for`: ends when something has happened, for scripts, as `kubectl wait`.

#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cmd/command.h"
#include "cmd/commands/explain/explain_answer.h"
#include "dra/report/explain/explanation.h"

namespace dra::cmd {

struct ExplainWatchFlags {
  bool watch = false;
  std::string wait_for;
  std::string timeout;

  bool any() const { return watch || !wait_for.empty() || !timeout.empty(); }
  std::vector<Flag> flags();
};

// Whether the flags go together, and with the rest of the command line. `pod`: the subject is a
// pod, not claims.
Result<Done> check_explain_watch(const Context& context, const ExplainWatchFlags& watch,
                                 const AnswerFlags& flags, bool pod);

using ExplainState = std::function<Result<report::Explanation>(const snapshot::Snapshot&)>;
// Explains each state until the flags say that it is over. NotFound: the subject does not exist, or
// is gone while its condition is waited for.
Result<ExitCode> watch_explained(const Context& context, const ExplainWatchFlags& watch,
                                 const AnswerFlags& flags, std::span<const snapshot::Need> needs,
                                 const ExplainState& explain);

}  // namespace dra::cmd
