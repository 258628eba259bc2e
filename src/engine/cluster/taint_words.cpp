// src/engine/cluster/taint_words.cpp: words that drivers use for devices that do not work.

#include "dra/engine/cluster/taint_words.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "dra/base/text.h"

namespace dra::engine {

bool says_broken(const api::DeviceTaint& taint) {
  constexpr std::array<std::string_view, 14> words = {
      "broken", "corrupt", "degraded",  "dead",        "defect",   "error",       "fail",
      "fault",  "lost",    "unhealthy", "not-healthy", "unusable", "healthissue", "xid"};
  const std::string text = base::lower(base::format("{}={}", taint.key, taint.value));
  return std::ranges::any_of(
      words, [&text](std::string_view word) { return text.find(word) != std::string::npos; });
}

}  // namespace dra::engine
