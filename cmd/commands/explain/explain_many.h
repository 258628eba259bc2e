// cmd/commands/explain/explain_many.h
//
// Everything that waits: by cause, `explain --pending`; and from the other side, who could use a
// node, a device or a slice, `explain node NAME`.

#pragma once

#include <string>

#include "cmd/commands/explain/explain_answer.h"
#include "cmd/commands/explain/explain_subject.h"

namespace dra::cmd {

// An empty namespace: all. Exits with 0 if nothing waits.
Result<ExitCode> explain_pending(Context& context, const std::string& ns, const AnswerFlags& flags);

// NotFound if the cluster has no such node, device or slice.
Result<ExitCode> explain_reverse(Context& context, const ExplainedWords& words,
                                 const std::string& ns, const AnswerFlags& flags);

}  // namespace dra::cmd
