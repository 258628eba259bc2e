// src/base/prose.cpp: see prose.h.

#include "dra/base/prose.h"

#include "dra/base/text.h"

namespace dra::base {

std::string one_line(std::string_view expression) {
  std::string out;
  for (const std::string_view line : split(expression, '\n')) {
    const std::string_view text = trim(line);
    if (!out.empty() && !text.empty()) out += ' ';
    out += text;
  }
  return out;
}

std::string sentence(std::string text) {
  if (!text.ends_with('?') && !text.ends_with('.')) text += '.';
  return text;
}

std::string all(std::int64_t count) {
  return count == 2 ? std::string("both") : format("all {}", count);
}

}  // namespace dra::base
