// include/dra/report/phrases/envelope.h
//
// The members that the JSON of every report has: apiVersion and kind at the start, coverage at the
// end.

#pragma once

#include <string_view>

#include "dra/json/value.h"
#include "dra/snapshot/coverage.h"

namespace dra::report {

// {"apiVersion": "dra.kubectl/v1", "kind": KIND}
json::Value report_object(std::string_view kind);

// Adds `coverage.missing` where something could not be read.
void add_coverage(json::Value& report, const snapshot::Coverage& coverage);

}  // namespace dra::report
