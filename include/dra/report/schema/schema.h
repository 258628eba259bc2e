// include/dra/report/schema/schema.h
//
// The JSON Schema of each kind of report: the contract with programs that read reports. Lists make
// theirs of their columns (src/report/lists/column.h), the others are files in src/report/schema
// that are compiled in. A definition that several kinds refer to is written once, and copied into
// each schema that is printed, so that it stands alone.
//
// Draft 2020-12. The schemas are strict: a field without an entry is an error. tests/schema checks
// every report in the goldens against them.

#pragma once

#include <span>
#include <string_view>

#include "dra/json/value.h"

namespace dra::report {

struct ReportKind {
  std::string_view name;     // "DeviceList"
  std::string_view command;  // one that prints it, without `kubectl dra`: "devices -o json"
  std::string_view schema;   // the text of its file; empty for lists
};

std::span<const ReportKind> report_kinds();  // sorted by name

// The schema with all that it refers to, and with the reason codes of the catalogue.
json::Value schema_of(const ReportKind& kind);

}  // namespace dra::report
