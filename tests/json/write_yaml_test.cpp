// tests/json/write_yaml_test.cpp

#include <doctest/doctest.h>

#include <string>

#include "dra/json/parse.h"
#include "dra/json/write.h"
#include "dra/json/yaml.h"

namespace dra::json::write_yaml_test {
namespace {

struct Case {
  std::string name;
  std::string text;
  std::string want;
};

TEST_CASE("structure is indented as kubectl indents it") {
  const Value value =
      parse_json(R"({"b":{"list":[1,{"c":null,"d":[[2],{}]}]},"a":[],"e":true})").value();
  CHECK(write_yaml(value) ==
        "a: []\n"
        "b:\n"
        "  list:\n"
        "  - 1\n"
        "  - c: null\n"
        "    d:\n"
        "    - - 2\n"
        "    - {}\n"
        "e: true\n");
}

TEST_CASE("a string gets the quotes that it needs to stay a string") {
  const Case cases[] = {
      {"plain", "gpu-0", "gpu-0"},
      {"a boolean", "yes", "\"yes\""},
      {"a number", "1e3", "\"1e3\""},
      {"a number with a sign inside", "0b-1", "\"0b-1\""},
      {"too large for a number", "1e400", "1e400"},
      {"too small for a number", "1e-400", "\"1e-400\""},
      {"a date", "2026-1-2", "\"2026-1-2\""},
      {"no date", "2026-02-30", "2026-02-30"},
      {"a time", "2026-01-02T03:04:05Z", "\"2026-01-02T03:04:05Z\""},
      {"a time with more spaces", "2026-01-02  3:4:5.6", "\"2026-01-02  3:4:5.6\""},
      {"a number to base 60", "1:30", "\"1:30\""},
      {"more than 59 of them", "1:65", "1:65"},
      {"empty", "", "\"\""},
      {"null", "~", "\"~\""},
      {"a merge key is text", "<<", "<<"},
      {"an indicator", "@a", "'@a'"},
      {"a comment", "a #b", "'a #b'"},
      {"a mapping", "a: b", "'a: b'"},
      {"a colon inside", "a:b", "a:b"},
      {"an apostrophe in quotes", "'a", "'''a'"},
      {"space at an end", "a ", "'a '"},
      {"a control character", "a\tb", R"("a\tb")"},
      {"one without a letter", "\x01", R"("\x01")"},
      {"letters of any script", "größe 日本", "größe 日本"},
      {"beyond 16 bits", "😀", R"("\U0001F600")"},
      {"a mark of byte order escapes everything",
       "\xef\xbb\xbf"
       "a",
       R"("\uFEFF\x61")"},
      {"not UTF-8", "a\xff", "a\xef\xbf\xbd"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    CHECK(write_yaml(Value(c.text)) == c.want + "\n");
  }
}

TEST_CASE("text of several lines is a block") {
  const Case cases[] = {
      {"one break at the end", "a\nb\n", "k: |\n  a\n  b\n"},
      {"none", "a\nb", "k: |-\n  a\n  b\n"},
      {"several", "a\n\n", "k: |+\n  a\n\n"},
      {"a space first", " a\nb", "k: |2-\n   a\n  b\n"},
      {"a break alone", "\n", "k: |2+\n\n"},
      {"a space before a break needs escapes", "a \nb", "k: \"a \\nb\"\n"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    Value object = Value::object();
    object.set("k", c.text);
    CHECK(write_yaml(object) == c.want);
  }
}

TEST_CASE("long text is folded at the first space behind 80 columns") {
  std::string words;
  for (int i = 0; i < 20; ++i)
    words += "word ";
  words += "end";
  Value object = Value::object();
  object.set("key", words);
  std::string want = "key: ";
  for (int i = 0; i < 16; ++i)
    want += i == 15 ? "word" : "word ";
  CHECK(write_yaml(object) == want + "\n  word word word word end\n");
}

TEST_CASE("keys are sorted as people count, and only the last of a name counts") {
  const Value value =
      parse_json(R"({"gpu-10":1,"gpu-2":2,"b":3,"B":4,"_":5,"gpu-2":6,"a.b":7,"ab":8})").value();
  CHECK(write_yaml(value) == "_: 5\nB: 4\na.b: 7\nab: 8\nb: 3\ngpu-2: 6\ngpu-10: 1\n");
  CHECK(write_yaml(value, {YamlKeys::AsTheyStand, false}) ==
        "gpu-10: 1\nb: 3\nB: 4\n_: 5\ngpu-2: 6\na.b: 7\nab: 8\n");
}

TEST_CASE("a key of several lines or of more than 128 bytes has a line of its own") {
  Value object = Value::object();
  object.set("a\nb", 1);
  object.set(std::string(129, 'k'), Value::array({1}));
  CHECK(write_yaml(object) == "? |-\n  a\n  b\n: 1\n? " + std::string(129, 'k') + "\n: - 1\n");
}

TEST_CASE("numbers are printed as Go holds them") {
  const Case cases[] = {
      {"an integer of 64 bits", "-9223372036854775808", "-9223372036854775808"},
      {"a whole float", "1.0", "1"},
      {"minus zero", "-0.0", "0"},
      {"a float", "0.50", "0.5"},
      {"seven digits before the point", "1234567.5", "1.2345675e+06"},
      {"small", "0.00001", "1e-05"},
      {"beyond 64 bits", "18446744073709551616", "1.8446744073709552e+19"},
      {"one bit more than signed", "9223372036854775808", "9223372036854776000"},
      {"what Go refuses stays", "1e400", "1e400"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    CHECK(write_yaml(Value::number(c.text)) == c.want + "\n");
  }
}

TEST_CASE("for a terminal what acts or hides is escaped, and means the same") {
  const std::string override_direction = "\xe2\x80\xae";
  const std::string control = "\xc2\x9b";
  const std::string texts[] = {"a" + override_direction + "b", "\x1b[31m",
                               "a\nb" + override_direction, control + "31m", "plain"};
  for (const std::string& text : texts) {
    Value object = Value::object();
    object.set(text, text);
    const std::string written = write_yaml(object, {YamlKeys::AsKubectl, true});
    CHECK(written.find('\x1b') == std::string::npos);
    CHECK(written.find("\xe2\x80\xae") == std::string::npos);
    CHECK(written.find("\xc2\x9b") == std::string::npos);
    const auto back = parse_yaml(written);
    REQUIRE(back.ok());
    const Member& member = back.value().at(0).members().at(0);
    CHECK(member.key == text);
    CHECK(member.value.text() == text);
  }
}

}  // namespace
}  // namespace dra::json::write_yaml_test
