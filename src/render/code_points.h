// src/render/code_points.h: walking over UTF-8 text one code point at a time.

#pragma once

#include <string_view>

namespace dra::render {

// The length of a code point with this first byte. A byte that starts none has a length of 1.
inline std::size_t length_after(unsigned char lead) {
  if (lead >= 0xF0) return 4;
  if (lead >= 0xE0) return 3;
  return lead >= 0xC0 ? 2 : 1;
}

// The bytes of the first code point of `text`, which is not empty.
inline std::string_view first_code_point(std::string_view text) {
  const std::size_t wanted = length_after(static_cast<unsigned char>(text.front()));
  std::size_t length = 1;
  while (length < wanted && length < text.size() &&
         (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) {
    ++length;
  }
  return text.substr(0, length);
}

// U+FFFD for bytes that are not UTF-8.
inline char32_t code_point_of(std::string_view bytes) {
  constexpr char32_t replacement = 0xFFFD;
  constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const auto lead = static_cast<unsigned char>(bytes.front());
  if (lead < 0x80) return lead;
  if (bytes.size() == 1 || bytes.size() != length_after(lead)) return replacement;
  char32_t code_point = lead & (0x7FU >> bytes.size());
  for (const char c : bytes.substr(1)) {
    code_point = code_point << 6U | (static_cast<unsigned char>(c) & 0x3FU);
  }
  const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
  const bool valid = code_point >= smallest[bytes.size()] && code_point <= 0x10FFFF && !surrogate;
  return valid ? code_point : replacement;
}

}  // namespace dra::render
