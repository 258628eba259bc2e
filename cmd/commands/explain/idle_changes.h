// cmd/commands/explain/idle_changes.h: what was supposed by flags and is so already. The answer
// then is that for the cluster as it is, and the reader should know.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "dra/engine/facts/change.h"
#include "dra/engine/whatif/hypothesis.h"

namespace dra::cmd {

// A sentence for each such flag, with why it changes nothing. Nothing has been applied to the
// hypothesis yet.
std::vector<std::string> idle_changes(const engine::Hypothesis& hypothesis,
                                      std::span<const engine::Change> changes);

}  // namespace dra::cmd
