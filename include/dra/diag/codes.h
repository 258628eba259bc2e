// include/dra/diag/codes.h
//
// Reason codes: a name for everything that can be wrong. The table is codes.def; all else follows
// from it.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "dra/diag/severity.h"

namespace dra::diag {

enum class Code : std::uint8_t {
#define DRA_CODE(name, severity, rank, title, explanation, remedy) name,
#include "dra/diag/codes.def"
#undef DRA_CODE
};

struct CodeInfo {
  Code code;
  std::string_view name;
  Severity severity;  // of a finding, unless it depends on the case
  // Of findings about one subject the one with the highest rank stands first: the others may follow
  // from it. 0: none is known to.
  int rank;
  std::string_view title;        // a few words
  std::string_view explanation;  // what it means, and what Kubernetes does
  std::string_view remedy;       // what to do
};

std::span<const CodeInfo> all_codes();  // sorted by name
const CodeInfo& info_of(Code code);
std::string_view name_of(Code code);

}  // namespace dra::diag
