// src/render/structured.cpp: see structured.h.

#include "dra/render/structured.h"

#include <cstdint>
#include <string_view>

#include "dra/base/printable.h"
#include "dra/base/text.h"
#include "dra/json/write.h"
#include "src/render/code_points.h"

namespace dra::render {
namespace {

// Outside of strings JSON is ASCII, so whatever is escaped stands inside one.
void append_escaped(std::string& out, char32_t code_point) {
  constexpr char32_t first_pair = 0x10000;
  const auto unit = [&out](char32_t code) {
    out += base::format("\\u{:04x}", static_cast<std::uint32_t>(code));
  };
  if (code_point < first_pair) return unit(code_point);
  unit(0xD800 + ((code_point - first_pair) >> 10U));
  unit(0xDC00 + ((code_point - first_pair) & 0x3FFU));
}

// Characters that act on a terminal, or hide, as escapes that mean the same.
std::string made_visible(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 1);
  while (!text.empty()) {
    const std::string_view bytes = first_code_point(text);
    text.remove_prefix(bytes.size());
    if (bytes == "\n" || base::is_plain(bytes) || base::printable(bytes) == bytes) {
      out += bytes;
    } else {
      append_escaped(out, code_point_of(bytes));
    }
  }
  return out;
}

}  // namespace

std::string render_json(const json::Value& value) {
  return made_visible(json::write_json(value, json::Style::Pretty)) + "\n";
}

std::string render_api_json(const json::Value& object, bool for_terminal) {
  std::string text = json::write_json(object, json::Style::Kubectl);
  return (for_terminal ? made_visible(text) : std::move(text)) + "\n";
}

}  // namespace dra::render
