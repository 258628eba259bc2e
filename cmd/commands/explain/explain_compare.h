// cmd/commands/explain/explain_compare.h: `explain --compare SNAPSHOT`: which change since then
// made the difference.

#pragma once

#include <string>

#include "cmd/commands/explain/explain_answer.h"
#include "dra/engine/whatif/supposed.h"

namespace dra::cmd {

// `now` is the state of the cluster that other flags lead to. Exits as `explain` would for it.
Result<ExitCode> explain_compared(Context& context, const snapshot::Snapshot& now,
                                  const engine::Wanted& wanted, const std::string& file,
                                  const AnswerFlags& flags);

}  // namespace dra::cmd
