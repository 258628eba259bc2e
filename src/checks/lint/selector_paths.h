// src/checks/lint/selector_paths.h
//
// Finds the parts of a selector that are paths into the device: device.attributes["domain"].id.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/cel/syntax/ast.h"

namespace dra::checks {

// The steps from the variable `device` down: {"attributes", "domain", "id"}. No value if the node
// is something else, or a step is computed.
std::optional<std::vector<std::string>> path_of(const cel::Ast& ast, cel::NodeId id);

// How such a path is written. Only an id that is an identifier may stand behind a dot.
std::string way_to(std::string_view section, std::string_view domain, std::string_view id);

// The text of a literal; nullptr for any other node.
const std::string* text_of(const cel::Ast& ast, cel::NodeId id);

// All nodes from the root down, each once, also those of comprehensions.
std::vector<cel::NodeId> nodes_of(const cel::Ast& ast);

}  // namespace dra::checks
