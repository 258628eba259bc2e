// cmd/commands/explain/what_if.h: the what-if flags, parsed into changes of the subject and of the
// cluster.

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
  std::vector<std::string> add_nodes;    // files
  std::vector<std::string> remove_node;  // names

  bool any() const;
  // That any() is about: "--set, --without, ... and --remove-node".
  static std::string_view names();
  // Sorted by name.
  std::vector<Flag> flags();
};

// In the order in which they can be made: of what is there, nodes like those that are there, nodes
// that go, those of files in their place, and nodes like these. Fails with BadInput for an invalid
// flag. If a flag names something that the subject of the hypothesis does not request, the error
// lists the names that exist. `joined` are the files of --add-nodes.
Result<std::vector<engine::Change>> read_what_if(const WhatIfFlags& flags,
                                                 const engine::Hypothesis& hypothesis,
                                                 const std::vector<engine::Change>& joined = {});

}  // namespace dra::cmd
