// include/dra/report/phrases/clause_json.h
//
// Conditions of selectors as JSON, for all reports.

#pragma once

#include "dra/engine/selectors/clause_table.h"
#include "dra/json/value.h"

namespace dra::report {

// [begin, end), in bytes of the expression.
json::Value span_json(cel::Span span);
json::Value clause_json(const engine::ClauseCount& clause);

}  // namespace dra::report
