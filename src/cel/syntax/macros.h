// src/cel/syntax/macros.h
//
// Calls that are rewritten when they are parsed. Upstream: cel-go parser/macro.go,
// ext/comprehensions.go, ext/bindings.go, ext/lists.go (sortBy), cel/library.go (optMap).

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
  std::optional<NodeId> target;  // of x.name(...)
  std::vector<NodeId> args;
  Origin origin;  // the whole call, at its `(`
};

// A macro that was recognised is expanded, or misused: then there is an issue.
struct Expansion {
  NodeId node = 0;
  std::optional<Issue> issue = {};
};

// No value if the call is no macro.
std::optional<Expansion> expand(Tree& tree, const Macros& macros, const MacroCall& call);

}  // namespace dra::cel
