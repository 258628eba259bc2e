// src/render/redraw.cpp: the control sequences of ECMA-48, and DECAWM of the VT100, which every
// terminal has.

#include "dra/render/redraw.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "dra/base/text.h"

namespace dra::render {
namespace {

constexpr std::string_view kToTop = "\x1b[H";
constexpr std::string_view kClearToEndOfLine = "\x1b[K";
constexpr std::string_view kClearBelow = "\x1b[J";
// A line that is wider than the screen would push all others down.
constexpr std::string_view kNoWrap = "\x1b[?7l";
constexpr std::string_view kWrap = "\x1b[?7h";

}  // namespace

std::string room_to_draw(const Screen& screen) {
  return std::string(static_cast<std::size_t>(std::max(screen.height - 1, 0)), '\n');
}

std::string drawn_over(std::string_view text, const Screen& screen) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  const std::vector<std::string_view> lines = base::split(text, '\n');
  // The cursor stands in a line of its own.
  const auto room = static_cast<std::size_t>(std::max(screen.height - 1, 2));
  const std::size_t shown = lines.size() > room ? room - 1 : lines.size();
  std::string out(kNoWrap);
  out += kToTop;
  const auto add = [&out](std::string_view line) {
    out += line;
    out += kClearToEndOfLine;
    out += '\n';
  };
  for (std::size_t i = 0; i < shown; ++i)
    add(lines[i]);
  if (shown < lines.size()) add(base::format("({} more lines)", lines.size() - shown));
  out += kClearBelow;
  out += kWrap;
  return out;
}

}  // namespace dra::render
