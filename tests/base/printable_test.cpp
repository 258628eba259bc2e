// tests/base/printable_test.cpp

#include "dra/base/printable.h"

#include <doctest/doctest.h>

#include <string>

namespace dra::base::printable_test {
namespace {

using namespace std::string_literals;

struct Case {
  const char* name;
  std::string text;
  std::string want;
};

const Case kLines[] = {
    {"plain ASCII stays as it is", "gpu-0: 80Gi ~!\\", "gpu-0: 80Gi ~!\\"},
    {"nothing stays nothing", "", ""},
    {"words in other scripts stay as they are", "Größe 容量 мощность 🎉", "Größe 容量 мощность 🎉"},
    {"an escape sequence shows as kubectl shows it", "\x1b[31mred", "^[[31mred"},
    {"an OSC sequence that sets the clipboard is harmless", "\x1b]52;c;aGk=\a", "^[]52;c;aGk=^G"},
    {"line breaks and tabs stay on the line", "a\nb\r\nc\td", "a\\nb\\r\\nc\\td"},
    {"the other C0 controls and DEL are in caret notation", "\0\b\f\x1f\x7f"s, "^@^H^L^_^?"},
    {"an 8-bit CSI encoded as UTF-8 is escaped", "\u009b2J", "\\u{9b}2J"},
    {"an 8-bit CSI as a raw byte is escaped", "\x9b"s + "2J", "\\x9b2J"},
    {"next line U+0085 is escaped", "a\u0085b", "a\\u{85}b"},
    {"a bidi override cannot reorder a name", "user\u202etxt.exe", "user\\u{202e}txt.exe"},
    {"bidi isolates and marks are escaped", "\u2066\u2069\u200e\u200f\u061c",
     "\\u{2066}\\u{2069}\\u{200e}\\u{200f}\\u{61c}"},
    {"zero width characters are escaped", "\u200b\u200c\u200d\u2060\ufeff",
     "\\u{200b}\\u{200c}\\u{200d}\\u{2060}\\u{feff}"},
    {"a soft hyphen and a Hangul filler do not make two names look alike", "a\u00ad\u3164",
     "a\\u{ad}\\u{3164}"},
    {"line and paragraph separators are escaped", "\u2028\u2029", "\\u{2028}\\u{2029}"},
    {"tag characters cannot hide a message", "\U000e0041\U000e007f", "\\u{e0041}\\u{e007f}"},
    {"interlinear annotations are escaped", "\ufff9\ufffb", "\\u{fff9}\\u{fffb}"},
    {"noncharacters are escaped", "\ufdd0\uffff\U0010ffff", "\\u{fdd0}\\u{ffff}\\u{10ffff}"},
    {"an emoji keeps its variation selector", "❤\ufe0f", "❤\ufe0f"},
    {"surrogates are not UTF-8", "\xed\xa0\x80", "\\xed\\xa0\\x80"},
    {"overlong forms are not UTF-8", "\xc0\xaf\xe0\x80\xaf\xf0\x80\x80\xaf",
     "\\xc0\\xaf\\xe0\\x80\\xaf\\xf0\\x80\\x80\\xaf"},
    {"nothing is above U+10FFFF", "\xf4\x90\x80\x80\xff", "\\xf4\\x90\\x80\\x80\\xff"},
    {"a character that is cut off is shown byte by byte", "a\xe5\xae", "a\\xe5\\xae"},
    {"after an invalid byte the next character is read again", "\xe5"s + "é", "\\xe5é"},
};

TEST_CASE("printable") {
  for (const Case& c : kLines) {
    CAPTURE(c.name);
    CHECK(printable(c.text) == c.want);
    CHECK(printable(c.want) == c.want);
  }
}

TEST_CASE("printable_block keeps line feeds and nothing else") {
  CHECK(printable_block("one\ntwo\n") == "one\ntwo\n");
  CHECK(printable_block("one\r\n\ttwo\x1b[2J") == "one\\r\n\\ttwo^[[2J");
}

TEST_CASE("is_plain is true of what printable returns unchanged without looking at Unicode") {
  CHECK(is_plain(""));
  CHECK(is_plain("gpu-0 ~"));
  CHECK_FALSE(is_plain("a\nb"));
  CHECK_FALSE(is_plain("\x7f"));
  CHECK_FALSE(is_plain("é"));
}

TEST_CASE("is_plain looks at each byte, wherever it stands") {
  for (std::size_t at = 0; at < 20; ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string text(20, '~');
      text[at] = static_cast<char>(byte);
      const bool right = is_plain(text) == (byte >= 0x20 && byte < 0x7F);
      if (!right) FAIL("byte ", byte, " at ", at);
    }
  }
}

struct WidthCase {
  const char* name;
  const char* text;
  std::size_t want;
};

const WidthCase kWidths[] = {
    {"ASCII takes a cell each", "gpu-0", 5},
    {"accented letters take one cell", "Größe", 5},
    {"a combining accent takes none", "e\u0301", 1},
    {"ideographs take two", "容量", 4},
    {"fullwidth forms take two, halfwidth forms one", "Ａｱ", 3},
    {"an emoji takes two", "🎉", 2},
    {"a flag is two letters of one cell", "🇩🇪", 2},
    {"a Hangul syllable of three parts takes two", "\u1112\u1161\u11ab", 2},
    {"box drawing takes one", "├─", 2},
    {"the last ideograph takes two and what follows plane 3 one", "\U0003fffd\U00040000", 3},
    {"a byte that is not UTF-8 takes one", "\xff", 1},
};

TEST_CASE("width") {
  for (const WidthCase& c : kWidths) {
    CAPTURE(c.name);
    CHECK(width(c.text) == c.want);
  }
}

struct FitCase {
  const char* name;
  const char* text;
  std::size_t cells;
  const char* want;
};

const FitCase kFits[] = {
    {"what fits is not cut", "gpu-0", 5, "gpu-0"},
    {"what does not fit ends in a mark", "gpu-10", 5, "gpu-…"},
    {"a wide character is never cut in half", "容量容", 4, "容…"},
    {"a combining accent stays with its letter", "e\u0301e\u0301e\u0301", 2, "e\u0301…"},
    {"one cell holds the mark alone", "gpu", 1, "…"},
    {"no cell holds nothing", "gpu", 0, ""},
};

TEST_CASE("fit") {
  for (const FitCase& c : kFits) {
    CAPTURE(c.name);
    CHECK(fit(c.text, c.cells) == c.want);
    CHECK(width(fit(c.text, c.cells)) <= c.cells);
  }
}

}  // namespace
}  // namespace dra::base::printable_test
