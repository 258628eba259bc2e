// cmd/commands/explain/node_files.h
//
// Files of --add-nodes: the nodes and slices of another cluster, of another day, or of a node pool
// that is empty.

#pragma once

#include <string>
#include <vector>

#include "cmd/command.h"
#include "dra/engine/facts/change.h"

namespace dra::cmd {

// One change for each file; `-` is standard input. Errors name the file, the line and the field.
// Warns of objects of other kinds, which are not added.
Result<std::vector<engine::Change>> read_node_files(const Context& context,
                                                    const std::vector<std::string>& files);

}  // namespace dra::cmd
