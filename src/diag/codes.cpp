// src/diag/codes.cpp: makes the table of codes from codes.def. The enumerators have the order of
// the file, so a code is the index of its row.

#include "dra/diag/codes.h"

#include <algorithm>

namespace dra::diag {
namespace {

constexpr CodeInfo kCodes[] = {
#define DRA_CODE(name, severity, rank, title, explanation, remedy) \
  {Code::name, #name, Severity::severity, rank, title, explanation, remedy},
#include "dra/diag/codes.def"
#undef DRA_CODE
};

static_assert(std::ranges::is_sorted(kCodes, {}, &CodeInfo::name), "codes.def is sorted by name");

}  // namespace

std::span<const CodeInfo> all_codes() { return kCodes; }
const CodeInfo& info_of(Code code) { return kCodes[static_cast<std::size_t>(code)]; }
std::string_view name_of(Code code) { return info_of(code).name; }

}  // namespace dra::diag
