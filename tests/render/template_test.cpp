// tests/render/template_test.cpp: Go templates: what they print, what is refused, and where a
// mistake is. tests/differential compares generated ones with text/template.

#include "dra/render/go_template/template.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/json/parse.h"

namespace dra::render::template_test {
namespace {

constexpr const char* kData = R"({"kind":"Pod","n":3,"f":1.5,"big":1e6,"null":null,
  "items":[{"name":"a","labels":{"x/y":"1"}},{"name":"b"}],"empty":[],"secret":"Zm9v"})";

std::string printed(std::string_view text, const TemplateOptions& options = {}) {
  const auto data = json::parse_json(kData);
  REQUIRE(data.ok());
  const auto parsed = Template::parse(text);
  if (!parsed.ok()) return "error: " + parsed.error().message;
  const auto out = parsed.value().print(data.value(), options);
  return out.ok() ? out.value() : "error: " + out.error().message;
}

TEST_CASE("templates print as kubectl prints them") {
  CHECK(printed("{{range $i, $v := .items}}{{$i}}={{$v.name}} {{end}}") == "0=a 1=b ");
  CHECK(printed("{{range .empty}}x{{else}}none{{end}}") == "none");
  CHECK(printed("{{if eq .kind \"Node\"}}n{{else if gt .n 2}}p{{end}}") == "p");
  CHECK(printed("{{with index .items 0}}{{index .labels \"x/y\"}}{{end}}") == "1");
  CHECK(printed("a  {{- /* note */ -}}  b") == "ab");
  CHECK(printed("{{.missing}} {{.null}} {{.missing.deeper}}") ==
        "<no value> <no value> <no value>");
  CHECK(printed("{{.f}} {{.big}} {{.items}}") ==
        "1.5 1000000 [map[labels:map[x/y:1] name:a] map[name:b]]");
  CHECK(printed("{{base64decode .secret}} {{exists .items 0 \"name\"}}") == "foo true");
  CHECK(printed("{{define \"t\"}}<{{.}}>{{end}}{{template \"t\" .kind}}") == "<Pod>");
  CHECK(printed("{{range .items}}{{if eq .name \"b\"}}{{break}}{{end}}{{.name}}{{end}}") == "a");
  CHECK(printed("{{range .items}}{{range .none}}{{else}}{{break}}{{end}}{{.name}}{{end}}") == "ab");
  CHECK(printed("{{range .items}}{{range .none}}{{else}}{{continue}}{{end}}{{.name}}{{end}}")
            .empty());
  CHECK(printed("{{$x := 1}}{{range .items}}{{$x = len .name}}{{end}}{{$x}}") == "1");
  CHECK(printed("{{printf \"%-4s|%03d|%d\" .kind .n .kind}}") == "Pod |003|%!d(string=Pod)");
}

TEST_CASE("a mistake has its place, and nothing is printed") {
  CHECK(printed("{{.a") == "error: line 1, column 5: unclosed action");
  CHECK(printed("x\n{{nofunction}}") ==
        "error: line 2, column 3: there is no function \"nofunction\"");
  CHECK(printed("{{if .a}}x") == "error: line 1, column 11: unexpected end of the template");
  CHECK(printed("{{$x}}") == "error: line 1, column 3: undefined variable \"$x\"");
  CHECK(printed("text{{.null.a}}") == "error: line 1, column 7: there is no field a in null");
  CHECK(printed("{{index .items 5}}") == "error: line 1, column 3: index: index out of range: 5");
  CHECK(printed("{{lt .kind 1}}") == "error: line 1, column 3: lt: cannot compare string with int");
  CHECK(printed("{{.missing}}", {.allow_missing_keys = false}) ==
        "error: line 1, column 3: there is no \"missing\"");
}

TEST_CASE("what is not supported is named") {
  CHECK(printed("{{1i}}") == "error: line 1, column 3: complex numbers are not supported");
  CHECK(printed("{{printf \"%#v\" .n}}") ==
        "error: line 1, column 3: printf: %#v is not supported");
  CHECK(printed("{{printf \"%[1]d\" .n}}") ==
        "error: line 1, column 3: printf: an argument index such as %[1]d is not supported");
}

TEST_CASE("a template ends, whatever it says") {
  CHECK(printed("{{define \"t\"}}{{template \"t\" .}}{{end}}{{template \"t\" .}}")
            .ends_with("templates call each other too deeply"));
  CHECK(printed("{{range 1000000000}}{{end}}").ends_with("the template does not come to an end"));
  std::string deep;
  for (int i = 0; i < 10000; ++i)
    deep += "{{if .n}}";
  CHECK(printed(deep).ends_with("nested too deeply"));
  CHECK(printed("{{" + std::string(10000, '(')).ends_with("nested too deeply"));
}

TEST_CASE("text of the data cannot act on a terminal, the template's own text can") {
  const auto data = json::parse_json(R"({"name":"\u001b[31mx\ny"})");
  REQUIRE(data.ok());
  const auto text =
      Template::parse("\x1b[1m{{.name}}{{\"\\t\\x1b[0m\"}}{{printf \"%s\\t\" .name}}");
  REQUIRE(text.ok());
  CHECK(text.value().print(data.value(), {.for_terminal = true}).value() ==
        "\x1b[1m^[[31mx\ny\t\x1b[0m^[[31mx\ny\t");
}

}  // namespace
}  // namespace dra::render::template_test
