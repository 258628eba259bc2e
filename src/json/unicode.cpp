// src/json/unicode.cpp: see unicode.h. Classes are looked up in a table of ranges.

#include "dra/json/unicode.h"

#include <algorithm>
#include <iterator>

namespace dra::json {
namespace {

struct ClassRange {
  std::uint32_t first;
  std::uint32_t last;
  char what;  // as the table says
};

constexpr ClassRange kClassRanges[] = {
#include "src/json/unicode_table.inc"
};

constexpr char kNoClass = ' ';

char class_of(std::uint32_t code) {
  if (code < 0x80) {
    if ((code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z')) return 'L';
    if (code >= '0' && code <= '9') return 'D';
    return code > ' ' && code < 0x7F ? 'S' : kNoClass;
  }
  const auto* const range = std::ranges::lower_bound(kClassRanges, code, {}, &ClassRange::last);
  const bool inside = range != std::end(kClassRanges) && range->first <= code;
  return inside ? range->what : kNoClass;
}

}  // namespace

std::string_view character_at(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  std::size_t length = 1;
  if (lead >= 0xF0) {
    length = 4;
  } else if (lead >= 0xC0) {
    length = lead >= 0xE0 ? 3 : 2;
  }
  for (std::size_t i = 1; i < length; ++i) {
    if (at + i >= text.size() || (static_cast<unsigned char>(text[at + i]) & 0xC0U) != 0x80U) {
      return text.substr(at, 1);
    }
  }
  return text.substr(at, length);
}

std::uint32_t code_of(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character.front());
  if (character.size() == 1) return lead;
  std::uint32_t code = lead & (0x7FU >> character.size());
  for (const char c : character.substr(1)) {
    code = code << 6U | (static_cast<unsigned char>(c) & 0x3FU);
  }
  return code;
}

std::string utf8_of(std::uint32_t code) {
  std::string out;
  const auto tail = [&out, code](unsigned shift) {
    out += static_cast<char>(0x80U | ((code >> shift) & 0x3FU));
  };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0U | (code >> 6U));
    tail(0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0U | (code >> 12U));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0U | (code >> 18U));
    tail(12);
    tail(6);
    tail(0);
  }
  return out;
}

bool is_letter(std::uint32_t code) { return class_of(code) == 'L'; }

bool is_decimal_digit(std::uint32_t code) { return class_of(code) == 'D'; }

bool is_number(std::uint32_t code) { return is_decimal_digit(code) || class_of(code) == 'N'; }

bool is_space(std::uint32_t code) {
  constexpr std::uint32_t others[] = {0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000};
  return code == ' ' || (code >= '\t' && code <= '\r') || (code >= 0x2000 && code <= 0x200A) ||
         std::ranges::find(others, code) != std::end(others);
}

bool is_printable(std::uint32_t code) { return code == ' ' || class_of(code) != kNoClass; }

}  // namespace dra::json
