// src/topology/labels.cpp: see labels.h.

#include "src/topology/labels.h"

#include <charconv>

namespace dra::topology {

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || number < 0) return std::nullopt;
  return number;
}

}  // namespace dra::topology
