// src/base/printable.cpp: see printable.h. Decoding is strict UTF-8 (RFC 3629): no surrogates, no
// overlong forms, nothing above U+10FFFF; each byte that is not part of a code point stands alone.

#include "dra/base/printable.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>

namespace dra::base {

namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// Code points that act instead of showing. Beyond controls, separators and noncharacters these are
// Unicode's default ignorable code points: a terminal draws nothing for them, so two different
// names could look alike. The variation selectors U+FE00-FE0F are left out because emoji need them.
constexpr Range kUnsafe[] = {
    {0x00, 0x1F},        // C0
    {0x7F, 0x9F},        // DEL and C1, which holds an 8-bit CSI and OSC
    {0xAD, 0xAD},        // soft hyphen
    {0x34F, 0x34F},      // combining grapheme joiner
    {0x61C, 0x61C},      // Arabic letter mark (bidi)
    {0x115F, 0x1160},    // Hangul fillers
    {0x17B4, 0x17B5},    // Khmer inherent vowels
    {0x180B, 0x180F},    // Mongolian selectors and separator
    {0x200B, 0x200F},    // zero width space, joiners, bidi marks
    {0x2028, 0x202E},    // line and paragraph separator, bidi embeddings and overrides
    {0x2060, 0x206F},    // word joiner, invisible operators, bidi isolates
    {0x3164, 0x3164},    // Hangul filler
    {0xFDD0, 0xFDEF},    // noncharacters
    {0xFEFF, 0xFEFF},    // byte order mark
    {0xFFA0, 0xFFA0},    // halfwidth Hangul filler
    {0xFFF0, 0xFFFB},    // interlinear annotation
    {0x1BCA0, 0x1BCA3},  // shorthand format controls
    {0x1D173, 0x1D17A},  // musical format controls
    {0xE0000, 0xE0FFF},  // tags and supplementary variation selectors
};

struct CellRange {
  char32_t first;
  char32_t last;
  std::uint8_t cells;
};

constexpr CellRange kCells[] = {
#include "src/base/width_table.inc"
};

template <class R, std::size_t N>
const R* find_range(const R (&table)[N], char32_t code_point) {
  const R* after =
      std::upper_bound(std::begin(table), std::end(table), code_point,
                       [](char32_t wanted, const R& range) { return wanted < range.first; });
  if (after == std::begin(table)) return nullptr;
  const R* range = std::prev(after);
  return code_point <= range->last ? range : nullptr;
}

bool is_plain_byte(char c) { return c >= 0x20 && c < 0x7F; }

bool is_unsafe(char32_t code_point) {
  const bool last_of_plane = (code_point & 0xFFFEU) == 0xFFFEU;  // U+nFFFE, U+nFFFF: noncharacters
  return last_of_plane || find_range(kUnsafe, code_point) != nullptr;
}

struct Decoded {
  char32_t code_point = 0;  // of an invalid byte: the byte
  std::size_t length = 1;
  bool valid = false;
};

// The code point at the start of `text`, which is not empty.
Decoded decode(std::string_view text) {
  const auto byte = [text](std::size_t i) {
    return static_cast<char32_t>(static_cast<unsigned char>(text[i]));
  };
  const char32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const Decoded invalid{lead, 1, false};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return invalid;
  char32_t code_point = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return invalid;
    code_point = code_point << 6U | (byte(i) & 0x3FU);
  }
  constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
  if (code_point < smallest[length] || surrogate || code_point > 0x10FFFF) return invalid;
  return {code_point, length, true};
}

void append_hex(std::string& out, char32_t number) {
  constexpr char digits[] = "0123456789abcdef";
  int shift = 20;
  while (shift > 4 && number >> static_cast<unsigned>(shift) == 0)
    shift -= 4;
  for (; shift >= 0; shift -= 4)
    out += digits[number >> static_cast<unsigned>(shift) & 0xFU];
}

void append_escape(std::string& out, const Decoded& decoded) {
  const char32_t c = decoded.code_point;
  if (!decoded.valid) {
    out += "\\x";
    append_hex(out, c);
  } else if (c == '\n') {
    out += "\\n";
  } else if (c == '\r') {
    out += "\\r";
  } else if (c == '\t') {
    out += "\\t";
  } else if (c < 0x80) {
    out += '^';
    out += static_cast<char>(c ^ 0x40U);
  } else {
    out += "\\u{";
    append_hex(out, c);
    out += '}';
  }
}

enum class LineFeed { Escape, Keep };

std::string escape(std::string_view text, LineFeed line_feed) {
  std::string out;
  out.reserve(text.size() + 16);
  while (!text.empty()) {
    const std::size_t plain = static_cast<std::size_t>(
        std::find_if_not(text.begin(), text.end(), is_plain_byte) - text.begin());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const Decoded next = decode(text);
    const bool kept = next.valid && (next.code_point == '\n' ? line_feed == LineFeed::Keep
                                                             : !is_unsafe(next.code_point));
    if (kept) {
      out += text.substr(0, next.length);
    } else {
      append_escape(out, next);
    }
    text.remove_prefix(next.length);
  }
  return out;
}

std::size_t cells_of(const Decoded& decoded) {
  const CellRange* range = decoded.valid ? find_range(kCells, decoded.code_point) : nullptr;
  return range == nullptr ? 1 : range->cells;
}

}  // namespace

bool is_plain(std::string_view text) {
  // Eight bytes at a time: the top bit of a byte shows that it is below 0x20 (by borrowing), 0x7F
  // (by carrying) or beyond ASCII. A borrow or carry into the next byte needs a byte that is not
  // plain itself, so it cannot mislead.
  constexpr std::uint64_t each = 0x0101010101010101U;
  std::uint64_t odd = 0;
  for (; text.size() >= sizeof odd; text.remove_prefix(sizeof odd)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), sizeof word);
    odd |= word | (word - each * 0x20) | (word + each);
  }
  return (odd & each * 0x80) == 0 && std::all_of(text.begin(), text.end(), is_plain_byte);
}

std::string printable(std::string_view untrusted) {
  if (is_plain(untrusted)) return std::string(untrusted);
  return escape(untrusted, LineFeed::Escape);
}

std::string printable_block(std::string_view untrusted) {
  if (is_plain(untrusted)) return std::string(untrusted);
  return escape(untrusted, LineFeed::Keep);
}

std::size_t width(std::string_view printable_text) {
  if (is_plain(printable_text)) return printable_text.size();
  std::size_t cells = 0;
  while (!printable_text.empty()) {
    const Decoded next = decode(printable_text);
    cells += cells_of(next);
    printable_text.remove_prefix(next.length);
  }
  return cells;
}

std::string fit(std::string_view printable_text, std::size_t cells) {
  if (width(printable_text) <= cells) return std::string(printable_text);
  if (cells == 0) return {};
  const std::size_t room = cells - 1;  // the mark takes one
  std::size_t used = 0;
  std::size_t end = 0;
  while (end < printable_text.size()) {
    const Decoded next = decode(printable_text.substr(end));
    if (used + cells_of(next) > room) break;
    used += cells_of(next);
    end += next.length;
  }
  return std::string(printable_text.substr(0, end)) + "…";
}

}  // namespace dra::base
