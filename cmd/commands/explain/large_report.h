// cmd/commands/explain/large_report.h
//
// A report with many large items: each is made, printed and forgotten before the next one, in the
// bytes of a report that is printed as a whole.

#pragma once

#include <cstddef>

#include "cmd/command.h"
#include "cmd/output.h"
#include "dra/base/function_ref.h"
#include "dra/json/value.h"

namespace dra::cmd {

struct LargeReport {
  json::Value frame;  // the report with an empty list `items`
  std::size_t items = 0;
  base::FunctionRef<json::Value(std::size_t)> item;  // called once for each, in their order
};

// Any format that print_structured() has. Other formats than JSON and YAML, and what is kept for
// later, need the whole report in memory.
Result<Done> print_large_report(const Context& context, LargeReport report, const Output& output);

}  // namespace dra::cmd
