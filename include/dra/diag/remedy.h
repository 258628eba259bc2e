// include/dra/diag/remedy.h
//
// What to do about something that was found: sentences, and a command to copy.

#pragma once

#include <string>

namespace dra::diag {

struct Remedy {
  std::string text;
  std::string command = {};  // a command line; empty: none

  friend bool operator==(const Remedy&, const Remedy&) = default;
};

}  // namespace dra::diag
