// src/report/phrases/selector_words.cpp: digits in groups of three, and lists of ids.

#include "dra/report/phrases/selector_words.h"

#include <algorithm>

#include "dra/base/text.h"

namespace dra::report {
namespace {

constexpr std::size_t kMaxIds = 3;

}  // namespace

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3)
    text.insert(at - 3, ",");
  return text;
}

std::string ids_text(const std::vector<engine::DeviceId>& ids) {
  std::vector<std::string> shown;
  for (const engine::DeviceId& id : ids) {
    if (shown.size() < kMaxIds) shown.push_back(engine::to_string(id));
  }
  const std::string list = base::join(shown, ", ");
  const std::size_t left = ids.size() - shown.size();
  return left == 0 ? list : base::format("{} and {} more", list, left);
}

}  // namespace dra::report
