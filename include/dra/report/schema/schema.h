// include/dra/report/schema/schema.h
//
// The JSON Schema of each kind of report: the contract with whoever reads reports with a program.
// They are written by hand in src/report/schema and compiled in; what several have in common stands
// there once, and is put into each that refers to it, so that what is printed stands alone.
//
// Draft 2020-12. They are strict: a field that a schema does not have is a mistake. tests/schema
// holds every report among the goldens to them.

#pragma once

#include <span>
#include <string_view>

#include "dra/json/value.h"

namespace dra::report {

struct ReportKind {
  std::string_view name;     // "DeviceList"
  std::string_view command;  // one that prints it, without `kubectl dra`: "devices -o json"
  std::string_view schema;   // as it is written, without what it refers to
};

std::span<const ReportKind> report_kinds();  // sorted by name

// The schema with all that it refers to, and with the reason codes of the catalogue.
json::Value schema_of(const ReportKind& kind);

}  // namespace dra::report
