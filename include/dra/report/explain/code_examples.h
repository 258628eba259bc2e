// include/dra/report/explain/code_examples.h
//
// For reason codes that a manifest is the cause of: one that fails, and the same one fixed. They
// are the files of src/report/explain/examples. A test runs their commands.

#pragma once

#include <optional>
#include <string_view>

#include "dra/diag/codes.h"

namespace dra::report {

struct CodeExample {
  std::string_view command;  // finds the code in the file FILE: "validate -f FILE"
  std::string_view failing;  // YAML
  std::string_view change;   // what the other one does otherwise: "write the key once"
  std::string_view fixed;
};

// No value: no manifest is the cause, or none that stands alone.
std::optional<CodeExample> example_of(const diag::CodeInfo& code);

}  // namespace dra::report
