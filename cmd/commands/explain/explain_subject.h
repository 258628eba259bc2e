// cmd/commands/explain/explain_subject.h: what the words after `explain` name, and what has to be
// read for it.

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

// What decides about pods of that namespace; of all, if it is empty.
std::vector<snapshot::Need> needs_of_pods(const std::string& ns);
std::vector<snapshot::Need> needs_of(const ExplainedWords& words, const std::string& ns);

}  // namespace dra::cmd
