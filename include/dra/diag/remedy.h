// include/dra/diag/remedy.h
//
// Advice about a finding: sentences, and a command to copy.

#pragma once

#include <string>

namespace dra::diag {

struct Remedy {
  std::string text;
  std::string command = {};  // command line; empty: none

  friend bool operator==(const Remedy&, const Remedy&) = default;
};

}  // namespace dra::diag
