// cmd/commands/explain/explain_compare.h: `explain --compare SNAPSHOT`: which change since the
// snapshot decides the outcome.

#pragma once

#include <string>

#include "cmd/commands/explain/explain_answer.h"
#include "dra/engine/whatif/hypothesis.h"

namespace dra::cmd {

// `now` is the current state. The exit code is that of `explain` for it.
Result<ExitCode> explain_compared(Context& context, const snapshot::Snapshot& now,
                                  const engine::Wanted& wanted, const std::string& file,
                                  const AnswerFlags& flags);

}  // namespace dra::cmd
