// cmd/commands/explain/explain_rescheduling.h
//
// `kubectl dra explain --as-if-pending --all`: where each pod that has devices could go if it had
// to start once more.

#pragma once

#include <string>

#include "cmd/commands/explain/explain_answer.h"
#include "cmd/commands/explain/what_if.h"

namespace dra::cmd {

// An empty `ns` means all namespaces. What the flags say about the cluster, its release and its
// gates is supposed, and the answer tells what is due to that. BadInput for what-if flags that
// change one pod.
Result<ExitCode> explain_rescheduling(Context& context, const std::string& ns,
                                      const WhatIfFlags& what_if, const AnswerFlags& flags);

}  // namespace dra::cmd
