// tests/json/parse_test.cpp

#include "dra/json/parse.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dra/json/write.h"

namespace dra::json::parse_test {
namespace {

struct Case {
  std::string name;
  std::string text;
  std::string want;  // written again, or "error: ..."
};

std::string outcome(const std::string& text) {
  const auto value = parse_json(text);
  return value.ok() ? write_json(value.value(), Style::Compact) : "error: " + value.error().message;
}

void check(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    CAPTURE(c.name);
    CHECK(outcome(c.text) == c.want);
  }
}

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST_CASE("JSON is read as it stands") {
  check({
      {"an object keeps its order", R"({"b": 1, "a": {"d": [], "c": {}}})",
       R"({"b":1,"a":{"d":[],"c":{}}})"},
      {"white space of all kinds", "\r\n\t {\r\n\t \"a\" :\t1 }\r\n", R"({"a":1})"},
      {"literals", "[true, false, null]", "[true,false,null]"},
      {"an integer beyond 64 bits keeps its digits", "[123456789012345678901234567890]",
       "[123456789012345678901234567890]"},
      {"a fraction keeps its digits", "[0.10, -1.50, 1e400, 1E+2, -0]",
       "[0.10,-1.50,1e400,1E+2,-0]"},
      {"a member that is there twice is kept twice", R"({"a": 1, "a": 2})", R"({"a":1,"a":2})"},
      {"escapes", R"(["\"\\\/\b\f\n\r\t"])", R"(["\"\\/\b\f\n\r\t"])"},
      {"escapes of characters", R"(["\u00fc\u65e5\ud83d\ude00"])", "[\"ü日😀\"]"},
      {"escapes in a key", R"({"a\u002eb": 1})", R"({"a.b":1})"},
      {"a key with an escaped quote", R"({"a\"b": 1})", R"({"a\"b":1})"},
      {"a zero byte, as an escape", "[\"a\\u0000b\"]", "[\"a\\u0000b\"]"},
      {"UTF-8", "[\"größe 日本\"]", "[\"größe 日本\"]"},
      {"as deep as is allowed", nested(kMaxDepth), nested(kMaxDepth)},
  });
}

TEST_CASE("of two members with one name the last one is found") {
  const Value value = parse_json(R"({"a": 1, "b": 0, "a": 2})").value();
  CHECK(value.find("a")->text() == "2");
}

TEST_CASE("JSON that is not JSON") {
  check({
      {"nothing", "", "error: the JSON text ends too early"},
      {"white space", " \n", "error: the JSON text ends too early"},
      {"an object without its end", R"({"a": 1)", "error: the JSON text ends too early"},
      {"a list without its end", "[1, 2", "error: the JSON text ends too early"},
      {"a string without its end", R"({"a": "b)", "error: the JSON text ends too early"},
      {"an inner list without its end", R"({"a": [1, 2})", "error: not valid JSON"},
      {"a second document", R"({"a": 1} {"a": 2})", "error: more text follows the JSON document"},
      {"a scalar alone", "1", "error: not a JSON object"},
      {"nested too deeply", nested(kMaxDepth + 1), "error: the JSON text is nested too deeply"},
      {"nested absurdly deeply", nested(100'000), "error: the JSON text is nested too deeply"},
      {"bytes that are not UTF-8", "[\"\xff\"]",
       "error: the JSON text holds bytes that are not UTF-8"},
      {"half a character", "[\"\xe2\x80\"]", "error: the JSON text holds bytes that are not UTF-8"},
      {"a surrogate as bytes", "[\"\xed\xa0\x80\"]",
       "error: the JSON text holds bytes that are not UTF-8"},
      {"a line break inside a string", "[\"a\nb\"]",
       "error: the JSON text holds a control character inside a string"},
  });
}

TEST_CASE("what other readers let pass is refused") {
  for (const char* text : {
           "{\"a\": 01}",
           "[+1]",
           "[.5]",
           "[1.]",
           "[1e]",
           "[-]",
           "[0x10]",
           "[NaN]",
           "[Infinity]",
           "[1 2]",
           "[,]",
           "[1,]",
           "{\"a\": 1,}",
           "{\"a\" 1}",
           "{\"a\": }",
           "{a: 1}",
           "{'a': 1}",
           "[truex]",
           "[tru]",
           "[nul]",
           "[nulll]",
           "[\"\\x\"]",
           "[\"\\u12\"]",
           "[\"a\" \"b\"]",
           "{\"a\": \"b\" \"c\"}",
           "[1] ]",
           "{\"a\": 1} x",
           "]",
           "}",
           "{]",
           "[}",
           "[\"\\ud800\"]",
           "{\"a\": 1 // b\n}",
       }) {
    CAPTURE(std::string(text));
    CHECK(outcome(text).starts_with("error: "));
  }
}

TEST_CASE("a page keeps what was read from it") {
  base::Page page(R"({"plain": "text", "escaped": "a\nb"})");
  base::Arena arena;
  std::vector<std::string_view> seen;
  const auto read = read_json(page, arena, [&seen](Cursor& root) {
    root.members([&seen](std::string_view key, Cursor& value) {
      seen.push_back(key);
      seen.push_back(value.scalar());
    });
  });
  REQUIRE(read.ok());
  const base::Page moved = std::move(page);
  CHECK(seen == std::vector<std::string_view>{"plain", "text", "escaped", "a\nb"});
  // Only what was escaped is copied.
  CHECK(moved.text().data() + 11 == seen[1].data());
}

}  // namespace
}  // namespace dra::json::parse_test
