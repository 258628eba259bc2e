// include/dra/report/phrases/clause_words.h
//
// The values of parts of selectors as text: a table of conditions over many devices, and a tree of
// conditions for one device.

#pragma once

#include <string>
#include <vector>

#include "dra/engine/selectors/clause_table.h"
#include "dra/view/document.h"

namespace dra::report {

// A table of the conditions with the number of devices that meet each, and the values that devices
// have for the condition which excludes most of them. A single condition has no table, only the
// values.
void add_clauses(view::Document& document, const engine::ClauseTable& table);

// Each condition with T, F or E, and below it the values that decide it.
void add_clause_tree(view::Document& document, const engine::Selector& selector,
                     const cel::Trace& trace);

}  // namespace dra::report
