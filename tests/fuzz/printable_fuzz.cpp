// tests/fuzz/printable_fuzz.cpp
//
// Whatever comes in, what goes to the terminal holds no character that acts, is UTF-8, and escaping
// it again changes nothing. The check has its own decoder, so that it shares no mistake.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "dra/base/printable.h"
#include "dra/base/result.h"

namespace {

std::string encode(char32_t c) {
  const auto byte = [](char32_t bits) {
    return static_cast<char>(static_cast<unsigned char>(bits));
  };
  if (c < 0x80) return {byte(c)};
  if (c < 0x800) return {byte(0xC0U | c >> 6U), byte(0x80U | (c & 0x3FU))};
  if (c < 0x10000) {
    return {byte(0xE0U | c >> 12U), byte(0x80U | (c >> 6U & 0x3FU)), byte(0x80U | (c & 0x3FU))};
  }
  return {byte(0xF0U | c >> 18U), byte(0x80U | (c >> 12U & 0x3FU)), byte(0x80U | (c >> 6U & 0x3FU)),
          byte(0x80U | (c & 0x3FU))};
}

bool acts(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x61C || (c >= 0x200B && c <= 0x200F) ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x2069) || c == 0xFEFF ||
         (c >= 0xFFF9 && c <= 0xFFFB) || (c >= 0xE0000 && c <= 0xE007F) ||
         (c >= 0xD800 && c <= 0xDFFF) || (c & 0xFFFEU) == 0xFFFEU || c > 0x10FFFF;
}

// Reads a code point by its lead byte alone, then compares with the one way to write it.
void check_safe(std::string_view text, bool line_feeds) {
  while (!text.empty()) {
    const auto lead = static_cast<unsigned char>(text[0]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    DRA_CHECK(text.size() >= length);
    char32_t c = length == 1 ? lead : lead & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) {
      c = c << 6U | (static_cast<unsigned char>(text[i]) & 0x3FU);
    }
    DRA_CHECK(encode(c) == text.substr(0, length));
    DRA_CHECK(!acts(c) || (line_feeds && c == '\n'));
    text.remove_prefix(length);
  }
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer gives the name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace base = dra::base;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string line = base::printable(text);
  check_safe(line, false);
  check_safe(base::printable_block(text), true);
  DRA_CHECK(base::printable(line) == line);
  if (base::is_plain(text)) DRA_CHECK(line == text);
  const std::size_t cells = size % 17;
  const std::string cut = base::fit(line, cells);
  check_safe(cut, false);
  DRA_CHECK(base::width(cut) <= cells);
  DRA_CHECK(base::width(line) > cells || cut == line);
  return 0;
}
