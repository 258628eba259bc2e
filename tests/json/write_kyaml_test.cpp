// tests/json/write_kyaml_test.cpp: the rules of KYAML, one by one. tests/differential compares
// generated documents with kubectl's own encoder.

#include <doctest/doctest.h>

#include <string>

#include "dra/json/parse.h"
#include "dra/json/write.h"

namespace dra::json::write_kyaml_test {
namespace {

std::string kyaml(std::string_view text, const YamlStyle& style = {}) {
  auto parsed = parse_json(text);
  REQUIRE(parsed.ok());
  return write_kyaml(parsed.value(), style);
}

TEST_CASE("keys are sorted, and quoted where they could be something else than text") {
  CHECK(kyaml(R"({"b":1,"a.b/c-d":null,"no":true,"1_000":1.0,"2024-01-02":"x","x y":{}})") ==
        "---\n{\n"
        "  \"1_000\": 1,\n"
        "  \"2024-01-02\": \"x\",\n"
        "  a.b/c-d: null,\n"
        "  b: 1,\n"
        "  \"no\": true,\n"
        "  \"x y\": {},\n"
        "}\n");
}

TEST_CASE("braces in a list share its lines, other items have lines of their own") {
  CHECK(kyaml(R"({"a":[{"b":[]},[1,"x"]],"c":[]})") ==
        "---\n{\n"
        "  a: [{\n"
        "    b: [],\n"
        "  }, [\n"
        "    1,\n"
        "    \"x\",\n"
        "  ]],\n"
        "  c: [],\n"
        "}\n");
}

TEST_CASE("text of several lines is folded behind each break") {
  CHECK(kyaml(R"({"a":"x\n  y\n","b":"q\" \\ \u0001\tz"})") ==
        "---\n{\n"
        "  a: \"\\\n"
        "     x\\n\\\n"
        "    \\  y\\n\\\n"
        "    \",\n"
        "  b: \"q\\\" \\\\ \\x01\tz\",\n"
        "}\n");
}

TEST_CASE("a report keeps its own order, and a terminal gets no character that acts on it") {
  const YamlStyle report{YamlKeys::AsTheyStand, true};
  CHECK(kyaml("{\"b\":\"\\u001b[31m\",\"a\":\"\\r\\n\\rx\"}", report) ==
        "---\n{\n"
        "  b: \"\\e[31m\",\n"
        "  a: \"\\\n"
        "     \\r\\n\\\n"
        "     \\rx\\\n"
        "    \",\n"
        "}\n");
}

}  // namespace
}  // namespace dra::json::write_kyaml_test
