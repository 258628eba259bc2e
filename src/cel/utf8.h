// src/cel/utf8.h
//
// Strings as their functions count them: in code points. Text that is no UTF-8 counts byte by byte.

#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace dra::cel {

// The bytes of the code point that begins at `at`, which is within the text.
inline std::size_t rune_length(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t length = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  return std::min(length, text.size() - at);
}

inline std::size_t count_runes(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); at += rune_length(text, at))
    ++count;
  return count;
}

// Where the code point of that number begins; the end of the text if it has no more than that many.
inline std::size_t rune_offset(std::string_view text, std::size_t number) {
  std::size_t at = 0;
  for (; number > 0 && at < text.size(); --number)
    at += rune_length(text, at);
  return at;
}

// The code point that begins at `at`.
inline char32_t rune_at(std::string_view text, std::size_t at) {
  const auto byte = [text, at](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const std::size_t length = rune_length(text, at);
  if (length == 1) return byte(0);
  auto rune = static_cast<char32_t>(byte(0) & (0x7F >> length));
  for (std::size_t i = 1; i < length; ++i)
    rune = (rune << 6) | (byte(i) & 0x3F);
  return rune;
}

// Whether all of it is UTF-8: shortest forms, no surrogates, nothing beyond U+10FFFF.
inline bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    const bool leads = lead < 0x80 || (lead >= 0xC2 && lead < 0xF5);
    if (!leads || at + length > text.size()) return false;
    for (std::size_t i = 1; i < length; ++i) {
      if ((static_cast<unsigned char>(text[at + i]) & 0xC0) != 0x80) return false;
    }
    const char32_t rune = rune_at(text, at);
    if ((length == 3 && rune < 0x800) || (length == 4 && rune < 0x10000)) return false;
    if (rune > 0x10FFFF || (rune >= 0xD800 && rune < 0xE000)) return false;
    at += length;
  }
  return true;
}

inline void append_rune(std::string& out, char32_t rune) {
  const auto put = [&out](char32_t byte) { out += static_cast<char>(byte); };
  if (rune < 0x80) {
    put(rune);
  } else if (rune < 0x800) {
    put(0xC0 | (rune >> 6));
    put(0x80 | (rune & 0x3F));
  } else if (rune < 0x10000) {
    put(0xE0 | (rune >> 12));
    put(0x80 | ((rune >> 6) & 0x3F));
    put(0x80 | (rune & 0x3F));
  } else {
    put(0xF0 | (rune >> 18));
    put(0x80 | ((rune >> 12) & 0x3F));
    put(0x80 | ((rune >> 6) & 0x3F));
    put(0x80 | (rune & 0x3F));
  }
}

}  // namespace dra::cel
