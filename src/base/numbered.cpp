// src/base/numbered.cpp: see numbered.h.

#include "dra/base/numbered.h"

#include <charconv>

namespace dra::base {

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || number < 0) return std::nullopt;
  return number;
}

NumberedName split_number(std::string_view name) {
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  return {name.substr(0, digits), number_in(name.substr(digits))};
}

}  // namespace dra::base
