// src/cel/utf8.h
//
// Code points of UTF-8, as Go tells them from broken bytes.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace dra::cel {

struct CodePoint {
  char32_t value = 0;
  std::size_t size = 0;  // 0: the first byte does not begin one
};

// The first one of a text that is not empty: in its shortest form, and no surrogate.
inline CodePoint decode_utf8(std::string_view text) {
  const auto byte = [text](std::size_t i) -> std::uint32_t {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  const std::uint32_t first = byte(0);
  if (first < 0x80) return {first, 1};
  if (first < 0xC2 || first > 0xF4) return {};
  const std::size_t size = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  char32_t value = first & (0xFFU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {};
    value = (value << 6U) | (byte(i) & 0x3FU);
  }
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  const bool overlong = (size == 3 && value < 0x800) || (size == 4 && value < 0x10000);
  if (surrogate || overlong || value > 0x10FFFF) return {};
  return {value, size};
}

}  // namespace dra::cel
