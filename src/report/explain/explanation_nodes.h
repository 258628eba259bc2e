// src/report/explain/explanation_nodes.h
//
// The nodes in the text of an explanation: how each stands, folded where they stand the same; and
// what the subject would get on one.

#pragma once

#include <string>
#include <vector>

#include "dra/report/explain/explanation.h"

namespace dra::report {

// By what their names have in common: "pool-a-{cg6n,t5wd}".
std::string node_names(const Explanation& explanation, const std::vector<std::size_t>& nodes,
                       bool wide);

// The same for running text, where up to three are all named.
std::string node_names_in_text(const Explanation& explanation,
                               const std::vector<std::size_t>& nodes, bool wide);

// Whether nodes are told by what they have for each demand: there are few, and all of it is known.
// Otherwise by what their drivers have.
bool shows_matches(const Explanation& explanation);

// There must be nodes.
void add_nodes(view::Document& document, const Explanation& explanation, bool wide);

// What it would get on the first node that it fits on; on every one in wide output.
void add_allocation(view::Document& document, const Explanation& explanation, bool wide);

}  // namespace dra::report
