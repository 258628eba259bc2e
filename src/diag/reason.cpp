// src/diag/reason.cpp: names of the certainties, as they are in JSON.

#include "dra/diag/reason.h"

namespace dra::diag {

std::string_view name_of(Certainty certainty) {
  switch (certainty) {
    case Certainty::Proven:
      return "Proven";
    case Certainty::AsFarAsVisible:
      return "AsFarAsVisible";
    case Certainty::Heuristic:
      return "Heuristic";
  }
  return "";
}

}  // namespace dra::diag
