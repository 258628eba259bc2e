// src/diag/severity.cpp: names of the severities, as they are in reports.

#include "dra/diag/severity.h"

namespace dra::diag {

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::Error:
      return "error";
    case Severity::Warning:
      return "warning";
    case Severity::Hint:
      return "hint";
  }
  return "";
}

}  // namespace dra::diag
