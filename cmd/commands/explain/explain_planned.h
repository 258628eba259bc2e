// cmd/commands/explain/explain_planned.h
//
// Explanations of workloads and of objects in files: `explain deployment NAME`, `explain -f FILE`.

#pragma once

#include <string>
#include <vector>

#include "cmd/commands/explain/explain_answer.h"
#include "cmd/commands/explain/explain_subject.h"
#include "dra/engine/whatif/hypothesis.h"

namespace dra::cmd {

// Adds the files to the state that will be loaded. Fails if a file cannot be read.
Result<Done> overlay_files(Context& context, const std::vector<std::string>& files);

// As if what the files hold had been created, with the claims of its pods.
snapshot::Snapshot with_planned(snapshot::Snapshot snapshot);

// The workload that the words name.
Result<ExitCode> explain_workload(Context& context, const ExplainedWords& words,
                                  const std::string& ns, const AnswerFlags& flags);

// The cluster with what is in the files, as if it had been created. Where that is nothing but claim
// templates, with a claim of each. `verbatim_objects`: their own text is compared.
Result<snapshot::Snapshot> load_planned(Context& context, const std::string& ns,
                                        bool verbatim_objects);

// One answer for each workload in the files.
std::vector<SubjectAnswer> answers_of_planned_workloads(const Context& context,
                                                        const snapshot::Snapshot& snapshot,
                                                        const AnswerFlags& flags);

// What else is in the files: each pod; if they have none, and nothing that makes pods, their claims
// together, of each namespace, or those of the templates.
std::vector<engine::Wanted> planned_subjects(const snapshot::Snapshot& snapshot);

}  // namespace dra::cmd
