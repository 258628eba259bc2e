// include/dra/cel/syntax/utf8.h
//
// Code points of strings, as CEL's functions count them. Each byte that is not UTF-8 counts as one
// code point, as in Go.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace dra::cel {

struct CodePoint {
  char32_t value = 0;
  std::size_t size = 0;  // 0: the first byte does not begin one
};

// The first code point of a non-empty text: in its shortest form, and no surrogate.
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

// The number of bytes of the code point at `at`, which is within the text; 1 if none begins there.
inline std::size_t rune_length(std::string_view text, std::size_t at) {
  return std::max<std::size_t>(decode_utf8(text.substr(at)).size, 1);
}

// Tests eight bytes at once; the last eight may overlap with those before.
inline bool is_ascii(std::string_view text) {
  constexpr std::uint64_t high_bits = 0x8080808080808080;
  std::uint64_t bits = 0;
  const auto eight_at = [text](std::size_t at) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, text.data() + at, sizeof eight);
    return eight;
  };
  if (text.size() < sizeof bits) {
    for (const char c : text)
      bits |= static_cast<unsigned char>(c);
    return (bits & high_bits) == 0;
  }
  const std::size_t last = text.size() - sizeof bits;
  for (std::size_t at = 0; at < last; at += sizeof bits)
    bits |= eight_at(at);
  return ((bits | eight_at(last)) & high_bits) == 0;
}

inline std::size_t count_runes(std::string_view text) {
  if (is_ascii(text)) return text.size();
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); at += rune_length(text, at))
    ++count;
  return count;
}

// The byte offset of the code point with this number; the end of the text if there are not as many.
inline std::size_t rune_offset(std::string_view text, std::size_t number) {
  std::size_t at = 0;
  for (; number > 0 && at < text.size(); --number)
    at += rune_length(text, at);
  return at;
}

// The code point at `at`.
inline char32_t rune_at(std::string_view text, std::size_t at) {
  const auto byte = [text, at](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const std::size_t length = rune_length(text, at);
  if (length == 1) return byte(0);
  auto rune = static_cast<char32_t>(byte(0) & (0x7F >> length));
  for (std::size_t i = 1; i < length; ++i)
    rune = (rune << 6) | (byte(i) & 0x3F);
  return rune;
}

// True if the whole text is UTF-8: shortest forms, no surrogates, nothing above U+10FFFF.
inline bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t size = decode_utf8(text).size;
    if (size == 0) return false;
    text.remove_prefix(size);
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
