// tests/render/columns_test.cpp

#include "dra/render/columns.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/json/parse.h"

namespace dra::render::columns_test {
namespace {

json::Value parsed(const std::string& text) { return json::parse_json(text).value(); }

const std::string kList = R"({"kind":"List","items":[
  {"metadata":{"name":"gpu-claim"},"status":{"devices":["a","b"]}},
  {"metadata":{"name":"x"},"status":null}]})";

std::string printed(const std::string& spec, const std::string& object, bool for_terminal = false) {
  const auto columns = Columns::from_spec(spec, false);
  if (!columns.ok()) return columns.error().message;
  const auto text = columns.value().print(parsed(object), for_terminal);
  return text.ok() ? text.value() : text.error().message;
}

TEST_CASE("custom columns of a list are aligned as kubectl aligns them") {
  CHECK(printed("NAME:.metadata.name,DEVICES:{.status.devices[*]},S:status", kList) ==
        "NAME        DEVICES   S\n"
        "gpu-claim   a,b       map[devices:[a b]]\n"
        "x           <none>    <nil>\n");
}

TEST_CASE("one object has one line, and headers can be omitted") {
  const auto columns = Columns::from_spec("A:a,B:b", true);
  REQUIRE(columns.ok());
  CHECK(columns.value().print(parsed(R"({"a":1.0,"b":"x"})"), false).value() == "1     x\n");
}

TEST_CASE("a column without a path is empty") {
  CHECK(printed("A:,B:b", R"({"b":1})") == "A        B\n<none>   1\n");
}

TEST_CASE("columns from a file stand below each other") {
  const auto columns = Columns::from_file("NAME  X\n.metadata.name\t{x}\r\nignored\n");
  REQUIRE(columns.ok());
  CHECK(columns.value().print(parsed(kList), false).value() ==
        "NAME        X\ngpu-claim   <none>\nx           <none>\n");
}

struct Case {
  std::string name;
  std::string text;
  std::string want;
};

TEST_CASE("mistakes in columns are errors in kubectl's words") {
  const Case specs[] = {
      {"nothing", "", "custom-columns format specified but no custom columns given"},
      {"no path", "NAME",
       "unexpected custom-columns spec: NAME, expected <header>:<json-path-expr>"},
      {"braces", "N:{a}{b}",
       "column N: unexpected path string, expected a 'name1.name2' or '.name1.name2' or "
       "'{name1.name2}' or '{.name1.name2}'"},
      {"a path that is none", "N:a[", "column N: unterminated array (at character 4: [})"},
  };
  for (const Case& c : specs) {
    CAPTURE(c.name);
    CHECK(Columns::from_spec(c.text, false).error().message == c.want);
  }
  const std::string expected =
      "Expected format is one line of space separated headers, one line of space separated column "
      "specs.";
  const Case files[] = {
      {"nothing", "", "invalid template, missing header line. " + expected},
      {"headers alone", "A B\n", "invalid template, missing spec line. " + expected},
      {"too few", "A B\n.a\n", "number of headers (2) and field specifications (1) don't match"},
  };
  for (const Case& c : files) {
    CAPTURE(c.name);
    CHECK(Columns::from_file(c.text).error().message == c.want);
  }
}

TEST_CASE("a value with tabs and line breaks goes into columns as kubectl's does") {
  CHECK(printed("A:a,B:b", R"({"a":"x\ty\nlonger line","b":"\u001bz\r"})") ==
        "A             B\nx             y\nlonger line   ^[z\\r\n");
}

TEST_CASE("for a terminal a value stays in its cell") {
  CHECK(printed("A:a,B:b", R"({"a":"x\ty\n","b":"\u001bz\u202e"})", true) ==
        "A        B\nx\\ty\\n   ^[z\\u{202e}\n");
}

TEST_CASE("for a terminal JSONPath keeps the user's text and makes the cluster's visible") {
  const auto path = json::Path::parse("{\"\\t\"}{.a}{\"\\n\"}{.b}");
  REQUIRE(path.ok());
  const json::Value object = parsed(R"({"a":"\u001b[31m","b":{"c":"\u202e"}})");
  CHECK(render_path(path.value(), object, {}, true).value() == "\t^[[31m\n{\"c\":\"\\u202e\"}");
  CHECK(render_path(path.value(), object, {}, false).value() ==
        "\t\x1b[31m\n{\"c\":\"\xe2\x80\xae\"}");
}

TEST_CASE("JSONPath as JSON is safe to look at") {
  const auto path = json::Path::parse("{.a}");
  REQUIRE(path.ok());
  CHECK(render_path(path.value(), parsed(R"({"a":"\u009b"})"), {true, true}, true).value() ==
        "[\n    \"\\u009b\"\n]\n");
}

}  // namespace
}  // namespace dra::render::columns_test
