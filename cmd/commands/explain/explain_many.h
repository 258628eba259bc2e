// cmd/commands/explain/explain_many.h
//
// Explanations of all pending pods: `explain --pending` groups them by cause; `explain node NAME`
// (or device, or slice) says which of them could use it.

#pragma once

#include <string>

#include "cmd/commands/explain/explain_answer.h"
#include "cmd/commands/explain/explain_subject.h"

namespace dra::cmd {

// An empty `ns` means all namespaces. Exit code 0 if nothing is pending.
Result<ExitCode> explain_pending(Context& context, const std::string& ns, const AnswerFlags& flags);

// NotFound if the cluster has no such node, device or slice.
Result<ExitCode> explain_supply(Context& context, const ExplainedWords& words,
                                const std::string& ns, const AnswerFlags& flags);

}  // namespace dra::cmd
