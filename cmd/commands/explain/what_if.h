// cmd/commands/explain/what_if.h: the what-if flags, parsed into changes of the subject and of the
// cluster: --set, --without, --tolerate, --add-node-like.

#pragma once

#include <string>
#include <vector>

#include "cmd/command.h"
#include "dra/engine/facts/change.h"
#include "dra/engine/whatif/hypothesis.h"

namespace dra::cmd {

struct WhatIfFlags {
  std::vector<std::string> set;
  std::vector<std::string> without;
  std::vector<std::string> tolerate;
  std::vector<std::string> add_node_like;

  bool any() const;
  // Sorted by name.
  std::vector<Flag> flags();
};

// In the order of the flags above. Fails with BadInput for an invalid flag. If a flag names
// something that the subject of the hypothesis does not request, the error lists the names that
// exist.
Result<std::vector<engine::Change>> read_what_if(const WhatIfFlags& flags,
                                                 const engine::Hypothesis& hypothesis);

}  // namespace dra::cmd
