// include/dra/report/phrases/clause_words.h
//
// What the parts of selectors came to, in words: a table of conditions over many devices, and a
// tree of them for one.

#pragma once

#include <string>
#include <vector>

#include "dra/engine/selectors/clause_table.h"
#include "dra/view/document.h"

namespace dra::report {

// A part of an expression, as written, and its value as CEL writes it: quotes around text, the
// message of an error.
struct PartValue {
  std::string text;
  std::string value;
};
// Of every part that has a value of its own: constants, maps and what only joins others are left
// out. In the order of the text; the same text is there once.
std::vector<PartValue> values_of(const engine::Selector& selector, const cel::Trace& trace);

// "40Gi (12), 24Gi (4) and 2 more": what devices have, with how many have it.
std::string seen_text(const std::vector<engine::SeenInstead>& seen);

// The conditions with how many devices meet each, and what devices have instead of what the one
// wants that is nearest to more matches. Of a single condition only these.
void add_clauses(view::Document& document, const engine::ClauseTable& table);

// Each condition with T, F or E, and below it the values that made it so.
void add_clause_tree(view::Document& document, const engine::Selector& selector,
                     const cel::Trace& trace);

}  // namespace dra::report
