// src/cel/syntax/macros.h
//
// Macros: calls that the parser expands. Upstream: cel-go parser/macro.go, ext/comprehensions.go,
// ext/bindings.go, ext/lists.go (sortBy), cel/library.go (optMap).

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/cel/syntax/parser.h"
#include "src/cel/syntax/tree.h"

namespace dra::cel {

struct MacroCall {
  std::string_view name;
  std::optional<NodeId> target;  // the x of x.name(...)
  std::vector<NodeId> args;
  Origin origin;  // the whole call; positioned at its `(`
};

// The expansion of a macro; an issue if the macro is misused.
struct Expansion {
  NodeId node = 0;
  std::optional<Issue> issue = {};
};

// No value if the call is no macro.
std::optional<Expansion> expand(Tree& tree, const Macros& macros, const MacroCall& call);

}  // namespace dra::cel
