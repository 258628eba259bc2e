// tests/json/yaml_test.cpp: YAML as kubectl reads it.

#include "dra/json/yaml.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dra/base/text.h"
#include "dra/json/write.h"

namespace dra::json::yaml_test {
namespace {

struct Case {
  std::string name;
  std::string text;
  std::string want;  // the documents as JSON, one line each, or "error: ..."
};

std::string outcome(const std::string& text) {
  const auto documents = parse_yaml(text);
  if (!documents.ok()) return "error: " + documents.error().message;
  std::vector<std::string> lines;
  for (const Value& document : documents.value()) {
    lines.push_back(write_json(document, Style::Compact));
  }
  return base::join(lines, "\n");
}

void check(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    CAPTURE(c.name);
    CHECK(outcome(c.text) == c.want);
  }
}

// The value of `v: TEXT`.
std::string scalar(const std::string& text) {
  std::string line = outcome("v: " + text);
  if (line.starts_with("error: ")) return line;
  return line.substr(5, line.size() - 6);
}

TEST_CASE("unquoted text is what the YAML library of kubectl makes of it") {
  const std::vector<Case> cases = {
      {"true in many ways", "[y, Y, yes, Yes, YES, true, True, TRUE, on, On, ON]",
       "[true,true,true,true,true,true,true,true,true,true,true]"},
      {"false in many ways", "[n, N, no, No, NO, false, False, FALSE, off, Off, OFF]",
       "[false,false,false,false,false,false,false,false,false,false,false]"},
      {"but not in any way", "[tRue, yEs, oN]", R"(["tRue","yEs","oN"])"},
      {"null in many ways", "[~, null, Null, NULL]", "[null,null,null,null]"},
      {"nothing is null", "", "null"},
      {"numbers of other bases", "[0x1F, 0b11, 0o10, 010]", "[31,3,8,8]"},
      {"a sign between base and digits, in base two alone", "[0b-11, 0b+1, 0x-1, -0b-1]",
       R"([-3,1,"0x-1","-0b-1"])"},
      {"lines between digits, and elsewhere", "[1_0_, .1_0, .1_, ._1]", R"([10,0.1,".1_","._1"])"},
      {"too small is zero, too large is text", "[1e-400, 1e400]", R"([0,"1e400"])"},
      {"a leading zero with digits that are not octal is a fraction", "[089, 1_000]", "[89,1000]"},
      {"signs", "[+1, -1, -0, -0x10]", "[1,-1,0,-16]"},
      {"the largest numbers of 64 bits", "[18446744073709551615, -9223372036854775808]",
       "[18446744073709551615,-9223372036854775808]"},
      {"beyond 64 bits it is a fraction",
       "[18446744073709551616, -123456789012345678901, 9007199254740993.0]",
       "[18446744073709552000,-123456789012345680000,9007199254740992]"},
      {"fractions", "[1.0, .5, 1e3, 1.5e-7, -2.50]", "[1,0.5,1000,1.5e-7,-2.5]"},
      {"dates, times and versions are text", "[2026-11-20, 1:30, 1.2.3, v1, =]",
       R"(["2026-11-20","1:30","1.2.3","v1","="])"},
      {"quantities are text", "[80Gi, 1.5Gi, 100m, 1e3Ki]", R"(["80Gi","1.5Gi","100m","1e3Ki"])"},
      {"quoted is text", R"(["true", '1', "~", ''])", R"(["true","1","~",""])"},
      {"a tag makes it text", "[!!str 1, !foo true]", R"(["1","true"])"},
      {"infinity is no JSON", ".inf", "error: line 1, column 4: JSON has no number .inf"},
      {"not a number is no JSON", "-.Inf", "error: line 1, column 4: JSON has no number -.Inf"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    CHECK(scalar(c.text) == c.want);
  }
}

TEST_CASE("text in its several forms") {
  check({
      {"literal", "v: |\n  a\n   b\n\nx: 1\n", R"({"v":"a\n b\n","x":1})"},
      {"literal without its last line break", "v: |-\n  a\n  b\n", R"({"v":"a\nb"})"},
      {"folded", "v: >\n  a\n  b\n\n  c\n", R"({"v":"a b\nc\n"})"},
      {"literal true stays text", "v: |-\n  true\n", R"({"v":"true"})"},
      {"escapes in double quotes", R"(v: "a\n\t\x41\u00fc\"")", R"({"v":"a\n\tAü\""})"},
      {"a doubled quote in single quotes", "v: 'it''s'", R"({"v":"it's"})"},
      {"a comment after a value", "v: a # b", R"({"v":"a"})"},
      {"a # inside a word", "v: a#b", R"({"v":"a#b"})"},
      {"a plain value over two lines", "v: a\n  b\n", R"({"v":"a b"})"},
      {"a device selector", "v: device.attributes['gpu.example.com'].model == \"A100\"",
       R"({"v":"device.attributes['gpu.example.com'].model == \"A100\""})"},
  });
}

TEST_CASE("keys are text, whatever they look like") {
  check({
      {"booleans and numbers", "y: 1\n2: b\n", R"({"true":1,"2":"b"})"},
      {"null is none", "a: 1\n~: c\n",
       "error: line 2, column 1: a key must be plain text, not null"},
      {"quoted", "\"y\": 1\n", R"({"y":1})"},
      {"flow maps", "{a: 1, 'b': [x, z]}", R"({"a":1,"b":["x","z"]})"},
      {"JSON is YAML", R"({"a": {"b": [1, "x", null]}})", R"({"a":{"b":[1,"x",null]}})"},
      {"the same key twice is kept twice", "a: 1\na: 2\n", R"({"a":1,"a":2})"},
      {"a list as a key", "? [a]\n: 1\n",
       "error: line 1, column 3: a key must be plain text, not a list"},
  });
}

TEST_CASE("documents") {
  check({
      {"several", "a: 1\n---\nb: 2\n---\nc: 3\n", "{\"a\":1}\n{\"b\":2}\n{\"c\":3}"},
      {"empty ones are omitted", "---\n---\na: 1\n---\n# only a comment\n---\n", R"({"a":1})"},
      {"no text has none", "", ""},
      {"comments alone are none", "# a\n# b\n", ""},
      {"an end mark", "a: 1\n...\n---\nb: 2\n", "{\"a\":1}\n{\"b\":2}"},
      {"a byte order mark is passed over",
       "\xef\xbb\xbf"
       "a: 1\n",
       R"({"a":1})"},
      {"CRLF", "a: 1\r\nb:\r\n- x\r\n", R"({"a":1,"b":["x"]})"},
      {"no line break at the end", "a: b", R"({"a":"b"})"},
      {"lists at the indent of their key", "a:\n- 1\n- 2\nb: 3\n", R"({"a":[1,2],"b":3})"},
  });
}

TEST_CASE("anchors, aliases and merge keys") {
  check({
      {"an alias is a copy", "a: &x {b: 1}\nc: *x\n", R"({"a":{"b":1},"c":{"b":1}})"},
      {"a merge adds what is not there", "a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3\n",
       R"({"a":{"b":1,"c":2},"d":{"b":1,"c":3}})"},
      {"a merge replaces what stands above it, as kubectl has it",
       "d:\n  c: 3\n  c: 4\n  <<: {c: 1}\n", R"({"d":{"c":1}})"},
      {"and a later one the one before it", "d:\n  <<: {b: 1, c: 1}\n  <<: {c: 2}\n",
       R"({"d":{"b":1,"c":2}})"},
      {"what is there twice stays so", "d:\n  <<: {b: 1, c: 1}\n  c: 2\n  c: 3\n",
       R"({"d":{"b":1,"c":2,"c":3}})"},
      {"of several the first wins", "a: &x {b: 1}\nc: &y {b: 2, d: 4}\ne:\n  <<: [*x, *y]\n",
       R"({"a":{"b":1},"c":{"b":2,"d":4},"e":{"d":4,"b":1}})"},
      {"a map in lines below an anchor that stands further right",
       "defaults: &defaults\n  driver:\n    count: 4\n", R"({"defaults":{"driver":{"count":4}}})"},
      {"what a merge replaces need not be a number in JSON", "a:\n  <<: {b: .inf}\n  b: 1\n",
       R"({"a":{"b":1}})"},
      {"what it does not must be", "a:\n  <<: {b: .inf, c: 2}\n  d: 1\n",
       "error: line 2, column 11: JSON has no number .inf"},
      {"nor can an alias name none", "a: &x .inf\nb: *x\n",
       "error: line 1, column 4: JSON has no number .inf"},
      {"a quoted << is a key", "a:\n  \"<<\": 1\n", R"({"a":{"<<":1}})"},
      {"a merge of something else", "a:\n  <<: 1\n",
       "error: line 2, column 7: << must name a map or a list of maps"},
      {"a merge of a list in a list", "a: {<<: [[], {}]}\n",
       "error: line 1, column 10: << must name a map or a list of maps"},
      {"a merge of an alias of a list", "a: &x [{b: 1}]\nc:\n  <<: *x\n",
       "error: line 3, column 7: << must name a map or a list of maps"},
      {"a merge of a list with an alias of a list", "a: &x []\nc:\n  <<: [*x]\n",
       "error: line 3, column 8: << must name a map or a list of maps"},
      {"an alias without an anchor", "a: *x\n",
       "error: line 1, column 4: an alias names an anchor that is not defined above it"},
      {"an anchor does not reach into the next document", "a: &x 1\n---\nb: *x\n",
       "error: line 3, column 4: an alias names an anchor that is not defined above it"},
  });
}

TEST_CASE("an alias cannot hold itself") {
  CHECK(outcome("a: &x [*x]\n").starts_with("error: line 1, column "));
  CHECK(outcome("a: &x 1\nb: &x [*x]\n").starts_with("error: line 2, column "));
}

TEST_CASE("an anchor stands for the node that began last with its name") {
  CHECK(outcome("a: &x {b: &x 1}\nc: *x\n") == R"({"a":{"b":1},"c":1})");
  CHECK(outcome("a: &x\n  b: &x\n  c: 1\nd:\n  <<: *x\n").starts_with("error: line 5"));
  CHECK(outcome("a: &x 1\nb: &x 2\nc: *x\n") == R"({"a":1,"b":2,"c":2})");
}

std::string bomb(int levels) {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < levels; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    text += base::format("a{}: &a{} [{}", i, i, last);
    for (int j = 1; j < 9; ++j)
      text += ", " + last;
    text += "]\n";
  }
  return text;
}

TEST_CASE("small texts cannot become large trees") {
  CHECK(outcome(bomb(3)).starts_with("{"));
  constexpr const char* expand = "the anchors and aliases of this text expand to more than 64 MiB";
  CHECK(outcome(bomb(9)).find(expand) != std::string::npos);
  std::string named = "a: &a \"" + std::string(1'000'000, 'x') + "\"\nb: [";
  for (int i = 0; i < 100; ++i)
    named += "*a,";
  CHECK(outcome(named + "]\n").find(expand) != std::string::npos);
  std::string nested = "a: ";
  for (int i = 0; i < 90; ++i)
    nested += base::format("&a{} [", i);
  for (int i = 0; i < 20'000; ++i)
    nested += "1,";
  CHECK(outcome(nested + std::string(90, ']') + "\n").find(expand) != std::string::npos);
  std::string dense = "[1";
  for (int i = 0; i < 1'000'000; ++i)
    dense += ",1";
  CHECK(outcome(dense + "]").find("values in a text of") != std::string::npos);
  CHECK(outcome(std::string(1'000, '[') + std::string(1'000, ']')).starts_with("error: "));
  CHECK(outcome(std::string(100'000, '[')).starts_with("error: "));
  std::string deep;
  for (std::size_t i = 0; i < 150; ++i)
    deep += std::string(i, ' ') + "a:\n";
  CHECK(outcome(deep).starts_with("error: line 101, column "));
}

TEST_CASE("errors say where, in plain words") {
  check({
      {"a tab indents", "a:\n\tb: 1\n",
       "error: line 2, column 3: a tab cannot indent YAML; use spaces"},
      {"a second colon", "a: b: c\n",
       "error: line 1, column 5: a colon does not belong here: a value cannot hold another key; "
       "quote the text, or indent"},
      {"a list without its end", "a: [1, 2\n", "error: line 2, column 1: a [ has no closing ]"},
      {"a map without its end", "a: {b: 1\n", "error: line 2, column 1: a { has no closing }"},
      {"a single quote without its end", "a: 'x\nb: 1\n",
       "error: line 1, column 4: the quoted text that starts here has no closing quote"},
      {"a double quote without its end", "a: \"x\n",
       "error: line 1, column 4: the quoted text that starts here has no closing quote"},
      {"a quote closed by an escape only", "a: \"x\\\"",
       "error: line 1, column 8: the text ends in the middle of a value"},
      {"a last line without a colon", "a: b\nc\n",
       "error: line 2, column 1: this key has no colon behind it"},
      {"a last line without a colon, but with a comment", "a:\n  b: 1\n  c #",
       "error: line 3, column 3: this key has no colon behind it"},
      {"a last line without a colon below a key without a value", "a:\nb #\n",
       "error: line 2, column 1: this key has no colon behind it"},
      {"a line behind a list", "- a\nb\n",
       "error: line 2, column 1: this stands behind the end of the value above; indent it, or "
       "write "
       "--- between"},
      {"a map behind a map in braces", "{a: 1}\nb: 1\n",
       "error: line 2, column 1: this stands behind the end of the value above; indent it, or "
       "write "
       "--- between"},
      {"a directive between lines", "a:\n  - b\n%c\n",
       "error: line 3, column 1: no line can start with %; quote the text"},
      {"a directive of another version", "%YAML 1.2\n---\na: b\n",
       "error: line 1, column 1: kubectl reads YAML 1.1 alone: remove the line that begins with "
       "%YAML"},
      {"a directive that is known", "%YAML 1.1\n---\na: |\n  %b\n", R"({"a":"%b\n"})"},
      {"a quote without its end behind an anchor", "- &a 'b\n- c\n",
       "error: line 1, column 3: the quoted text that starts here has no closing quote"},
      {"a question mark in braces", "a: {b: c?d}\n",
       "error: line 1, column 8: kubectl takes no ? in text between brackets or braces; quote the "
       "text"},
      {"a type that the text does not fit", "a: !!int b\n",
       "error: line 1, column 4: \"b\" is not a valid int"},
      {"types that are written out",
       "a: !!int 0x10\nb: !!str 1\nc: !!bool yes\nd: !!float 1\ne: !x 1\nf: ! 1\ng: !!null ~\n",
       R"({"a":16,"b":"1","c":true,"d":1,"e":"1","f":"1","g":null})"},
      {"a tab behind a value", "a: b\t\nc:\td\n", R"({"a":"b","c":"d"})"},
      {"a comma with nothing before it", "[a,, b]\n",
       "error: line 1, column 4: a comma with nothing before it"},
      {"a colon that begins a value in brackets", "[:80]\n",
       "error: line 1, column 2: no value can start with a colon here; quote the text"},
      {"a carriage return that ends the text", ":\r",
       "error: line 1, column 1: a key must be plain text, not null"},
      {"keys alone in braces", "{a, b}\n", R"({"a":null,"b":null})"},
      {"a key with a mark of its own", "? a\n", R"({"a":null})"},
      {"a document behind the end of another", "a: 1\n...\n# c\n\nb: 1\n",
       "error: line 5, column 1: this stands behind the end of the value above; indent it, or "
       "write --- between"},
  });
}

TEST_CASE("a quote without its end is noticed after a byte order mark and after CRLF") {
  CHECK(outcome("\xef\xbb\xbf"
                "a: 'x")
            .starts_with("error: line 1"));
  CHECK(outcome("b: 1\r\nc: \"ü\"\r\na: 'x").starts_with("error: line 3"));
  CHECK(outcome("b: 1\r\nc: 'ok'\r\nd: \"日本\"\r\n") == R"({"b":1,"c":"ok","d":"日本"})");
}

TEST_CASE("a byte order mark within a file is refused") {
  const std::string mark = "\xef\xbb\xbf";
  CHECK(outcome(mark + mark + "a: 1\n").starts_with("error: line 1, column 1: a byte order mark"));
  CHECK(outcome("a: 1\n" + mark + "---\nb: 1\n").starts_with("error: line 2, column 1"));
  CHECK(outcome("a: " + mark + "b\n") == "{\"a\":\"" + mark + "b\"}");
}

TEST_CASE("every value knows where it stood") {
  const Value root = parse_yaml("# comment\na:\n  b: [x, 'y']\n---\nc: |\n  text\n").value().at(0);
  const Value* list = root.at({"a", "b"});
  REQUIRE(list != nullptr);
  CHECK(list->position().line == 3);
  CHECK(list->position().column == 6);
  CHECK(list->items().at(1).position().column == 10);
  CHECK(root.members().at(0).position.line == 2);
}

// As sigs.k8s.io/yaml answers.
TEST_CASE("an anchor or a tag is refused where the library behind kubectl refuses it") {
  for (const std::string text :
       {"a: !(\"b\" in c)", "a: !has(b) && c", "a: &&b", "a: &b.c d", "a: & b", "a: !{b: c}",
        "a: {b: !c, d: 1}", "a: !b! c", "- !\"b\"", "a: ! 'b\nc: d\n"}) {
    CAPTURE(text);
    CHECK(outcome(text).starts_with("error: line 1, column "));
  }
  CHECK(outcome("a: !b") == R"({"a":""})");
  CHECK(outcome("a: !b.c(d) e") == R"({"a":"e"})");
  CHECK(outcome("a: &b {c: 1}\nd: *b") == R"({"a":{"c":1},"d":{"c":1}})");
}

TEST_CASE("an error knows the keys that were open") {
  const auto read = read_yaml("a: 1\nb:\n  c:\n  - d: 1\n  - e: 'x' y\n", 10);
  const auto* error = std::get_if<YamlError>(&read);
  REQUIRE(error != nullptr);
  REQUIRE(error->keys.size() == 3);
  CHECK(error->keys[0].path == "b");
  CHECK(error->keys[1].path == "b.c");
  CHECK(error->keys[2].path == "b.c[1].e");
  CHECK(error->keys[2].at.line == 15);
}

TEST_CASE("an error says where as data, and what without the place") {
  const auto read = read_yaml("a: 1\nb: {c: 2\n");
  const auto* error = std::get_if<YamlError>(&read);
  REQUIRE(error != nullptr);
  CHECK(error->at.line == 3);
  CHECK(error->at.column == 1);
  CHECK(error->message == "a { has no closing }");
}

}  // namespace
}  // namespace dra::json::yaml_test
