// tests/json/path_test.cpp

#include "dra/json/path.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/json/parse.h"

namespace dra::json::path_test {
namespace {

const Value& document() {
  static const Value root = parse_json(R"({
    "kind": "List",
    "items": [
      {"name": "gpu-0", "count": 4, "share": 1.5, "ready": true, "labels": {"a.b": "x"}},
      {"name": "gpu-1", "count": 2, "none": null, "ready": false, "labels": {}},
      {"name": "nic", "tags": ["fast", "<old>"]}
    ]
  })")
                                .value();
  return root;
}

std::string printed(const std::string& text, const PathOptions& options = {}) {
  const auto path = Path::parse(text);
  if (!path.ok()) return "cannot parse: " + path.error().message;
  const auto pieces = path.value().print(document(), options);
  if (!pieces.ok()) return "error: " + pieces.error().message;
  std::string out;
  for (const PathPiece& piece : pieces.value())
    out += piece.text;
  return out;
}

struct Case {
  std::string name;
  std::string path;
  std::string want;
};

TEST_CASE("templates print what kubectl prints") {
  const Case cases[] = {
      {"text and a member", "kind: {.kind}!", "kind: List!"},
      {"the whole object is $ or @", "{$.kind}{@.kind}", "ListList"},
      {"items of a list", "{.items[*].name}", "gpu-0 gpu-1 nic"},
      {"one from the end", "{.items[-1].name}", "nic"},
      {"a part", "{.items[0:2].name}", "gpu-0 gpu-1"},
      {"every second", "{.items[::2].name}", "gpu-0 nic"},
      {"nothing of nothing", "{.items[1:1].name}", ""},
      {"several", "{.items[0,2].name}", "gpu-0 nic"},
      {"several keys", "{.items[0]['name','count']}", "gpu-0 4"},
      {"a key with a point", R"({.items[0].labels.a\.b})", "x"},
      {"the same in quotes", R"({.items[0].labels['a\.b']})", "x"},
      {"every member of a name", "{..name}", "gpu-0 gpu-1 nic"},
      {"all members", "{.items[1].*}", "gpu-1 2 null false {}"},
      {"an object as JSON, sorted", "{.items[0]}",
       R"({"count":4,"labels":{"a.b":"x"},"name":"gpu-0","ready":true,"share":1.5})"},
      {"escaped for HTML", "{.items[2].tags}", R"(["fast","\u003cold\u003e"])"},
      {"null", "{.items[1].none}", "null"},
      {"the first byte of a text", "{.items[2].name.*}", "110 105 99"},
      {"literals", R"({1}{" "}{2.0}{" "}{true}{'\t'}{"\u00e9"})", "1 2 true\té"},
      {"a loop", R"({range .items[*]}{.name}={.count};{end}{.kind})", "gpu-0=4;gpu-1=2;nic=;List"},
      {"a loop over nothing", "{range .nothing}{.name}{end}.", "."},
      {"a loop in a loop", "{range .items[*]}[{range .tags[*]}({@}){end}]{end}",
       "[][][(fast)(<old>)]"},
      {"a missing member", "{.missing}", ""},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    CHECK(printed(c.path) == c.want);
  }
}

TEST_CASE("filters compare what is of one kind") {
  const Case cases[] = {
      {"text", R"({.items[?(@.name=="gpu-1")].count})", "2"},
      {"single quotes and spaces", R"({.items[?(@.name == 'gpu-1')].count})", "2"},
      {"greater", "{.items[?(@.count>2)].name}", "gpu-0"},
      {"at most", "{.items[?(@.count<=2)].name}", "gpu-1"},
      {"a boolean", "{.items[?(@.ready!=true)].name}", "gpu-1"},
      {"exists", "{.items[?(@.tags)].name}", "nic"},
      {"a bracket in the text", "{.items[?(@.name=='a)')].name}", ""},
      {"two members", "{.items[?(@.count==@.count)].name}", "gpu-0 gpu-1"},
      {"a float is no integer", "{.items[?(@.count==4.0)].name}",
       "error: incompatible types for comparison"},
      {"a float", "{.items[?(@.share==1.5)].name}", "gpu-0"},
      {"null has no order", "{.items[?(@.none==1)].name}", "error: invalid type for comparison"},
      {"more than one", "{.items[?(@.tags[*]=='fast')].name}",
       "error: can only compare one element at a time"},
      {"an operator that does not exist", "{.items[?(@.count=4)].name}",
       "error: unrecognized filter operator ="},
      {"no list", "{.kind[?(@.a==1)]}",
       "error: a string is not array or slice and cannot be filtered"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    CHECK(printed(c.path) == c.want);
  }
}

TEST_CASE("mistakes in a template say what and where") {
  const Case cases[] = {
      {"a brace is missing", "{.kind", "unclosed action (at the end)"},
      {"a bracket is missing", "{.items[0", "unterminated array (at character 8: [0)"},
      {"a filter without end", "{.items[?(@.a==1]}",
       "unterminated filter (at character 11: @.a==1]})"},
      {"a filter without its bracket", "{.items[?(@.a)}",
       "unclosed array expect ] (at character 15: })"},
      {"a quote without end", "{\"a}", "unterminated quoted string (at character 2: \"a})"},
      {"an index that is none", "{.items[a]}", "invalid array index a (at character 8: [a]})"},
      {"inside of a filter", "{.items[?(@.a==#)]}",
       "unrecognized character in action: U+0023 '#' (in {#})"},
      {"a backslash that escapes nothing", R"({"\q"})",
       R"(unquote string "\q" error invalid syntax (at character 2: "\q"}))"},
      {"points in a row", "{....}", "invalid multiple recursive descent (at character 4: ..})"},
      {"no number", "{1.2.3}", "cannot parse number 1.2.3 (at character 2: 1.2.3})"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    CHECK(printed(c.path) == "cannot parse: " + c.want);
  }
}

TEST_CASE("mistakes that only the document shows are errors") {
  const Case cases[] = {
      {"an index too large", "{.items[7]}", "array index out of bounds: index 7, length 3"},
      {"an end too large", "{.items[0:9]}", "array index out of bounds: index 8, length 3"},
      {"backwards", "{.items[2:1]}", "starting index 2 is greater than ending index 1"},
      {"a step of nothing", "{.items[0:2:0]}", "step must be > 0"},
      {"no list", "{.kind[0]}", "a string is not array or slice"},
      {"a word that is none", "{kind}", "unrecognized identifier kind"},
      {"an end without a loop", "{end}", "not in range, nothing to end"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    CHECK(printed(c.path) == "error: " + c.want);
  }
  CHECK(printed("{.missing}", {false, false}) == "error: missing is not found");
}

TEST_CASE("as JSON every part is a list of its values") {
  CHECK(printed("{.items[0:2].name}", {true, true}) == "[\n    \"gpu-0\",\n    \"gpu-1\"\n]\n");
  CHECK(printed("{.missing}", {true, true}) == "[]\n");
}

TEST_CASE("text of the template is told from text of the document") {
  const auto path = Path::parse("a{.kind}{\"b\"}{.items[2].tags}").value().print(document());
  REQUIRE(path.ok());
  REQUIRE(path.value().size() == 4);
  CHECK(path.value()[0].from == PathPiece::From::Template);
  CHECK(path.value()[1].from == PathPiece::From::Value);
  CHECK(path.value()[2].from == PathPiece::From::Template);
  CHECK(path.value()[3].from == PathPiece::From::Json);
}

TEST_CASE("a compiled path can be asked more than once") {
  const auto path = Path::parse("{range .items[*]}{.name}{end}");
  REQUIRE(path.ok());
  for (int i = 0; i < 2; ++i) {
    const auto found = path.value().find(document());
    REQUIRE(found.ok());
    REQUIRE(found.value().groups().size() == 3);
    CHECK(found.value().groups()[2].at(0).value->text() == "nic");
  }
}

TEST_CASE("paths of columns may leave out points and braces") {
  for (const std::string text : {"a.b", ".a.b", "{a.b}", "{.a.b}"}) {
    CAPTURE(text);
    CHECK(relaxed_path(text).value() == "{.a.b}");
  }
  CHECK(relaxed_path("").value().empty());
  CHECK(relaxed_path(".").value() == "{..}");
  for (const std::string text : {"{a", "{}", "a}b", "{{a}}"}) {
    CAPTURE(text);
    CHECK_FALSE(relaxed_path(text).ok());
  }
}

// Expected texts are client-go's.
TEST_CASE("a few loops without an end are as kubectl's, many are refused") {
  CHECK(printed("{range .items[*]}x") == "xxxx");
  CHECK(printed("{range .items[*]}{range .items[*]}x") == "xxxxxxx");
  const auto nested = [](int loops) {
    std::string text;
    for (int i = 0; i < loops; ++i)
      text += "{range .items[*]}";
    return printed(text + "x");
  };
  CHECK(nested(8) == std::string(25, 'x'));
  CHECK(nested(40).find("each {range} needs an {end}") != std::string::npos);
  CHECK(nested(100'000).find("more than 100 loops inside each other") != std::string::npos);
}

TEST_CASE("values are printed as Go prints them") {
  const Case cases[] = {
      {"a map", R"({"b":1,"a":{"c":null}})", "map[a:map[c:<nil>] b:1]"},
      {"a list", R"([1,"a",true,[]])", "[1 a true []]"},
      {"numbers", "[1.0,1e6,0.00001,12345678]", "[1 1e+06 1e-05 12345678]"},
      {"an empty map", "[{}]", "[map[]]"},
      {"of two members with one name the last", R"({"a":1,"a":2})", "map[a:2]"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    const Value value = parse_json(c.path).value();
    CHECK(go_text({PathMatch::Type::Json, &value}) == c.want);
  }
}

}  // namespace
}  // namespace dra::json::path_test
