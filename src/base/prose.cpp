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

std::string shorten_message(std::string_view message, std::size_t width) {
  constexpr std::string_view gap_mark = "…";
  std::string cut = shorten_middle(message, width);
  if (cut == message || width < gap_mark.size() + 2) return cut;
  const std::string shorter = shorten_middle(message, width - 2);  // spaces around the gap
  const std::size_t gap = shorter.find(gap_mark);
  std::string_view head = std::string_view(shorter).substr(0, gap);
  std::string_view tail = std::string_view(shorter).substr(gap + gap_mark.size());
  const bool head_is_whole = message.substr(head.size()).starts_with(' ');
  const std::size_t last = head.rfind(' ');
  if (!head_is_whole && last != std::string_view::npos && last >= head.size() / 2)
    head = head.substr(0, last);
  const bool tail_is_whole = message.substr(0, message.size() - tail.size()).ends_with(' ');
  const std::size_t first = tail.find(' ');
  if (!tail_is_whole && first != std::string_view::npos && first <= tail.size() / 2)
    tail = tail.substr(first + 1);
  return format("{} {} {}", trim(head), gap_mark, trim(tail));
}

std::string all(std::int64_t count) {
  return count == 2 ? std::string("both") : format("all {}", count);
}

}  // namespace dra::base
