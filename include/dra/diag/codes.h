// include/dra/diag/codes.h
//
// Reason codes: a name for everything that can be wrong. All tables of codes are generated from
// codes.def.

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
  Severity severity;  // default severity of a finding with this code
  // The finding with the highest rank comes first among findings about one subject, because the
  // others may follow from it. 0: no known consequences.
  int rank;
  std::string_view title;        // a few words
  std::string_view explanation;  // what it means, and what Kubernetes does
  std::string_view remedy;       // what to do
};

std::span<const CodeInfo> all_codes();  // sorted by name
const CodeInfo& info_of(Code code);
std::string_view name_of(Code code);

}  // namespace dra::diag
