// src/render/visible_json.cpp: see visible_json.h.

#include "src/render/visible_json.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "dra/base/printable.h"
#include "dra/base/text.h"
#include "src/render/code_points.h"

namespace dra::render {
namespace {

// Outside of strings JSON is ASCII, so escapes occur in strings only.
void append_escaped(std::string& out, char32_t code_point) {
  constexpr char32_t first_pair = 0x10000;
  const auto unit = [&out](char32_t code) {
    out += base::format("\\u{:04x}", static_cast<std::uint32_t>(code));
  };
  if (code_point < first_pair) return unit(code_point);
  unit(0xD800 + ((code_point - first_pair) >> 10U));
  unit(0xDC00 + ((code_point - first_pair) & 0x3FFU));
}

// Nearly all of a large report, so it is copied as a whole.
std::size_t visible_at_start(std::string_view text) {
  const auto is_visible = [](char c) { return (c >= ' ' && c <= '~') || c == '\n'; };
  return static_cast<std::size_t>(std::ranges::find_if_not(text, is_visible) - text.begin());
}

}  // namespace

std::string visible_json(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 1);
  while (!text.empty()) {
    const std::size_t visible = visible_at_start(text);
    out += text.substr(0, visible);
    text.remove_prefix(visible);
    if (text.empty()) break;
    const std::string_view bytes = first_code_point(text);
    text.remove_prefix(bytes.size());
    if (base::printable(bytes) == bytes) {
      out += bytes;
    } else {
      append_escaped(out, code_point_of(bytes));
    }
  }
  return out;
}

}  // namespace dra::render
