// cmd/commands/explain/explain_subject.h: parses the arguments of `explain`, and lists the kinds to
// load for them.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dra/base/result.h"
#include "dra/snapshot/load.h"

namespace dra::cmd {

enum class ExplainedKind { Pod, Claim, Workload, Node, Device, Slice };

struct ExplainedWords {
  ExplainedKind kind = ExplainedKind::Pod;
  std::optional<api::Kind> workload = {};  // which
  std::vector<std::string> names = {};
};

// `pod NAME`, `pod/NAME`, `claim NAME NAME`, `claim/NAME claim/NAME`. Fails with BadInput.
Result<ExplainedWords> read_explained(const std::vector<std::string>& words);

// The kinds that decide about pods of a namespace; an empty `ns` means all.
std::vector<snapshot::Need> needs_of_pods(const std::string& ns);
std::vector<snapshot::Need> needs_of(const ExplainedWords& words, const std::string& ns);

}  // namespace dra::cmd
