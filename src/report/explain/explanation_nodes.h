// src/report/explain/explanation_nodes.h
//
// The nodes in the text of an explanation: the result for each, with equal results folded, and the
// devices that the subject would get.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dra/report/explain/explanation.h"

namespace dra::report {

// Names folded by their common parts: "pool-a-{cg6n,t5wd}".
std::string node_names(const Explanation& explanation, const std::vector<std::size_t>& nodes,
                       bool wide);

// The same for running text, which names up to three nodes in full.
std::string node_names_in_text(const Explanation& explanation,
                               const std::vector<std::size_t>& nodes, bool wide);

// " of small-1": the claim of the request, where several claims have a request of its name.
std::string of_claim(const Explanation& explanation, std::string_view claim,
                     std::string_view request);

// True if the table has columns by demand: the demands are few, and their matches are known.
// Otherwise it has columns by driver.
bool shows_matches(const Explanation& explanation);

// The explanation must have nodes.
void add_nodes(view::Document& document, const Explanation& explanation, bool wide);

// Shows the devices that the subject would get on the first node that it fits on; on each in wide
// output.
void add_allocation(view::Document& document, const Explanation& explanation, bool wide);

}  // namespace dra::report
