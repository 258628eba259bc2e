// tests/json/write_test.cpp

#include "dra/json/write.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/json/parse.h"

namespace dra::json::write_test {
namespace {

TEST_CASE("pretty JSON is indented as kubectl indents it") {
  const Value value = parse_json(R"({"a":{"b":[1,{"c":null}]},"d":{},"e":[]})").value();
  CHECK(write_json(value, Style::Pretty) ==
        "{\n"
        "    \"a\": {\n"
        "        \"b\": [\n"
        "            1,\n"
        "            {\n"
        "                \"c\": null\n"
        "            }\n"
        "        ]\n"
        "    },\n"
        "    \"d\": {},\n"
        "    \"e\": []\n"
        "}");
}

TEST_CASE("text is escaped as far as JSON asks, and for kubectl's form as Go does") {
  struct Case {
    std::string name;
    std::string text;
    std::string pretty;
    std::string kubectl;
  };
  const Case cases[] = {
      {"quote and backslash", "\"\\", R"("\"\\")", R"("\"\\")"},
      {"a slash needs no escape", "a/b", R"("a/b")", R"("a/b")"},
      {"controls with a letter", "\b\f\n\r\t", R"("\b\f\n\r\t")", R"("\b\f\n\r\t")"},
      {"controls without one", std::string("\0\x01\x1f", 3), R"("\u0000\u0001\u001f")",
       R"("\u0000\u0001\u001f")"},
      {"what HTML would read", "<a&b>", R"("<a&b>")", R"("\u003ca\u0026b\u003e")"},
      {"what JavaScript once read as line breaks", "\xe2\x80\xa8\xe2\x80\xa9",
       "\"\xe2\x80\xa8\xe2\x80\xa9\"", R"("\u2028\u2029")"},
      {"what only begins like them", "\xe2\x80\xa6", "\"\xe2\x80\xa6\"", "\"\xe2\x80\xa6\""},
      {"delete is no control in JSON", "\x7f", "\"\x7f\"", "\"\x7f\""},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    CHECK(write_json(Value(c.text), Style::Pretty) == c.pretty);
    CHECK(write_json(Value(c.text), Style::Kubectl) == c.kubectl);
  }
}

TEST_CASE("keys are escaped as text is") {
  Value object = Value::object();
  object.set("<\n>", 1);
  CHECK(write_json(object, Style::Compact) == R"({"<\n>":1})");
  CHECK(write_json(object, Style::Kubectl) == "{\n    \"\\u003c\\n\\u003e\": 1\n}");
}

TEST_CASE("numbers keep their literal, or are printed as Go holds them") {
  const Value value = parse_json("[1.0,1e21,0.0000001,18446744073709551616,1e400,-0.0]").value();
  CHECK(write_json(value, Style::Compact) ==
        "[1.0,1e21,0.0000001,18446744073709551616,1e400,-0.0]");
  CHECK(write_json(value, Style::KubectlLine) == "[1,1e+21,1e-7,18446744073709552000,1e400,-0]");
}

TEST_CASE("bytes that are not UTF-8 are escaped as Go escapes them") {
  CHECK(write_json(Value("a\xff<\xe2\x80"), Style::KubectlLine) ==
        R"("a\ufffd\u003c\ufffd\ufffd")");
}

}  // namespace
}  // namespace dra::json::write_test
