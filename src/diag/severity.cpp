// src/diag/severity.cpp: see severity.h.

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
