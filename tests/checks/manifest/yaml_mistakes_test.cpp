// tests/checks/manifest/yaml_mistakes_test.cpp: manifests that kubectl's YAML reader refuses, or
// reads differently from their authors. What kubectl itself says of them names the line at most.

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "dra/base/text.h"
#include "dra/checks/manifest/documents.h"
#include "dra/checks/manifest/manifest.h"

namespace dra::checks::yaml_mistakes_test {
namespace {

// Ten lines above the selector.
constexpr std::string_view kAbove = R"(apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c}
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.example.com
        selectors:
)";

std::string told(const ManifestFinding& finding) {
  std::string path = finding.path;
  if (path.ends_with("cel.expression")) path = "expression";
  return base::format("{}:{} {}: {}{}", finding.position.line, finding.position.column, path,
                      finding.message, finding.fix.empty() ? "" : "\n" + finding.fix);
}

// All findings about a claim with this selector, which begins in line 11.
std::vector<std::string> findings_of(std::string_view selector) {
  const std::string text = base::format("{}{}        count: 1\n", kAbove, selector);
  const snapshot::Server server;
  std::vector<std::string> all;
  for (const Document& document : read_documents(text)) {
    if (const auto* failure = std::get_if<ManifestFinding>(&document)) {
      all.push_back(told(*failure));
      continue;
    }
    for (CheckedObject& object : ManifestChecker(server).check(std::get<json::Value>(document))) {
      for (ManifestFinding& finding : object.findings) {
        place_in_text(text, finding);
        all.push_back(told(finding));
      }
    }
  }
  return all;
}

// `expression: VALUE` in line 12.
std::string finding_of(std::string_view value, std::string_view behind = "") {
  const auto all =
      findings_of(base::format("        - cel:\n            expression: {}\n{}", value, behind));
  return base::join(all, "\n\n");
}

struct Row {
  std::string value;
  std::string want;
};

TEST_CASE("values that need other quotes") {
  const std::string ends = "YAML ends the value at this quote, and more text follows\n";
  const Row rows[] = {
      {R"(!("a" in device.attributes["d"]))",
       "12:25 expression: YAML takes text that begins with ! for a tag: put quotes around the "
       "value\nexpression: '!(\"a\" in device.attributes[\"d\"])'"},
      {"!device.allowMultipleAllocations",
       "12:25 expression: YAML takes text that begins with ! for a tag: put quotes around the "
       "value\nexpression: '!device.allowMultipleAllocations'"},
      {"!has(device.attributes) && true",
       "12:25 expression: YAML takes text that begins with ! for a tag: put quotes around the "
       "value\nexpression: '!has(device.attributes) && true'"},
      {"&&true",
       "12:25 expression: YAML takes text that begins with & for an anchor: put quotes around the "
       "value"},
      {R"("gpu" == device.driver)",
       "12:29 expression: " + ends + R"(expression: '"gpu" == device.driver')"},
      {R"('gpu' == device.driver)",
       "12:29 expression: " + ends + R"(expression: "'gpu' == device.driver")"},
      {R"("a" in device.attributes['b'])",
       "12:27 expression: " + ends + "expression: |-\n  \"a\" in device.attributes['b']"},
      {R"("device.driver == "gpu"")",
       "12:43 expression: " + ends + R"(expression: device.driver == "gpu")"},
      {R"('device.driver == 'gpu'')",
       "12:43 expression: " + ends + "expression: device.driver == 'gpu'"},
      {R"("device.attributes["d"].m == 'x'")",
       "12:44 expression: " + ends + R"(expression: device.attributes["d"].m == 'x')"},
      {R"('device.driver == \'x\'')",
       "12:44 expression: " + ends + "expression: device.driver == 'x'"},
      {R"("true";)", "12:30 expression: " + ends + "expression: 'true'"},
      {R"('a == "x" && 'a' == 'a')",
       "12:38 expression: " + ends + R"(expression: a == "x" && 'a' == 'a')"},
      {R"("device.driver == 'gpu')",
       "12:25 expression: the quoted text that starts here has no closing quote\n"
       "expression: device.driver == 'gpu'"},
      {R"(["a", "b"].exists(x, x == device.driver))",
       "12:25 expression: YAML takes text that begins with [ for a list: put quotes around the "
       "value\nexpression: '[\"a\", \"b\"].exists(x, x == device.driver)'"},
      {R"(device.driver == "x" ? true : false)",
       "12:53 expression: YAML takes this colon for the end of a key: put quotes around the "
       "value\nexpression: 'device.driver == \"x\" ? true : false'"},
      {R"x("device.driver.matches('\d+')")x",
       "12:49 expression: \\d is not an escape in double quotes\n"
       "expression: device.driver.matches('\\\\d+')"},
      {R"(| device.driver == "x")",
       "12:25 expression: the text of a block begins on the line below | or >\n"
       "expression: device.driver == \"x\""},
      {R"(`device.driver == "x"`)",
       "12:25 expression: no value can start with `: put quotes around the value\n"
       "expression: device.driver == \"x\""},
      {R"(“device.driver == "x"”)",
       "12:25 expression: YAML and CEL do not accept this as a quotation mark: write \" or '\n"
       "expression: device.driver == \"x\""},
      {R"x(device.driver.matches("a #b"))x",
       "12:50 expression: YAML takes what follows this # for a comment: put quotes around the "
       "value\nexpression: 'device.driver.matches(\"a #b\")'"},
      {"{{ .Values.selector }}",
       "12:26 expression: this is a line of a template, and not YAML\n"
       "render it first, as `helm template` does, and validate the result"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.value);
    CHECK(finding_of(row.value) == row.want);
  }
  CHECK(finding_of("device.driver == \"x\" # a comment").empty());
}

TEST_CASE("values over several lines") {
  const std::string i(12, ' ');
  CHECK(finding_of("|", i + "device.driver == 'x'\n") ==
        "13:13 expression: the lines of a block must be indented more than its key\n"
        "expression: |\n  device.driver == 'x'");
  CHECK(finding_of("|", i + "    device.driver == 'x' &&\n" + i + "  true\n") ==
        "14:15 expression: the lines of a block must not be indented less than its first line\n"
        "expression: |\n    device.driver == 'x' &&\n    true");
  CHECK(finding_of("|2", i + " true\n") ==
        "12:26 expression: the lines of the block are not indented by 2 spaces more than the key: "
        "omit the number\nexpression: |");
  CHECK(finding_of("device.driver == \"x\"", i + "&& device.driver != 'y'\n") ==
        "13:13 expression: a value that goes on in the next line must be indented more than its "
        "key there\nexpression: device.driver == \"x\"\n  && device.driver != 'y'");
  // The next quote of the text closes it, four lines below.
  CHECK(finding_of(R"("device.driver == 'x')",
                   "        tolerations:\n        - key: \"a\"\n          operator: Exists\n") ==
        "12:25 expression: the quoted text that starts here has no closing quote\n"
        "expression: device.driver == 'x'");
}

TEST_CASE("keys, spaces and brackets") {
  const Row rows[] = {
      {"        - cel:\n\t\t\texpression: 'true'\n",
       "12:1 : a tab cannot indent YAML; use spaces\n- cel:\n    expression: 'true'"},
      {"        - cel\n            expression: 'true'\n",
       "11:14 : a colon is missing after this key\n- cel:"},
      {"        - cel: {expression: 'true'}\n        allocationMode:All\n",
       "12:23 : a space is missing after this colon\nallocationMode: All"},
      {"        - cel: {expression: 'true'\n",
       "11:16 expression: this { has no closing }\n- cel: {expression: 'true'}"},
      {"        - cel: {expression: \"a\" == device.driver}\n",
       "11:31 expression: YAML ends the value at this quote, and more text follows\n"
       "- cel: {expression: '\"a\" == device.driver'}"},
      {"        - cel: {expression: device.attributes[\"d\"].a == 1, }\n",
       "11:46 expression: a [ ends or begins something in braces: put quotes around the value\n"
       "- cel: {expression: 'device.attributes[\"d\"].a == 1', }"},
      {"        - cel:\n         expression: 'true'\n",
       "12:10 : the indentation does not match the lines above: it is 9 spaces, 12 would match\n"
       "- cel:\n    expression: 'true'"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.value);
    CHECK(base::join(findings_of(row.value), "\n\n") == row.want);
  }
}

// One mistake is one finding.
TEST_CASE("what YAML reads as something else") {
  const std::string cel = "spec.devices.requests[0].exactly.selectors[0].cel";
  const std::string wants = ": wants an object, not the string ";
  const Row rows[] = {
      {"        - cel:\n            expression:device.driver == 'x'\n",
       "12:13 " + cel + wants +
           "\"expression:device.driver == 'x'\": a space is missing after the colon\n"
           "cel:\n  expression: device.driver == 'x'"},
      {"        - cel:\n            expression = \"true\"\n",
       "12:13 " + cel + wants +
           "\"expression = \"true\"\": a colon belongs behind a key, not =\n"
           "cel:\n  expression: \"true\""},
      {"        - cel: device.driver == 'x'\n",
       "11:16 " + cel + wants +
           "\"device.driver == 'x'\": put it under \"expression\"\n"
           "cel:\n  expression: device.driver == 'x'"},
      {"        - cel:\n          expression: 'true'\n",
       "12:11 spec.devices.requests[0].exactly.selectors[0].expression: there is no field "
       "\"expression\" here; it belongs under \"cel\", as "
       "spec.devices.requests[0].exactly.selectors[0].cel.expression\ncel:\n  expression: "
       "\"true\""},
      {"        - cel:\n        expression: 'true'\n",
       "12:9 spec.devices.requests[0].exactly.expression: there is no field \"expression\" here; "
       "it belongs under \"cel\" in line 11, as "
       "spec.devices.requests[0].exactly.selectors[0].cel.expression, and is indented too little"},
      {"        -cel:\n            expression: 'true'\n",
       "11:9 spec.devices.requests[0].exactly.-cel: there is no field \"-cel\" here; a space is "
       "missing after the \"-\" of a list item"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.value);
    CHECK(base::join(findings_of(row.value), "\n\n") == row.want);
  }
}

// What stands in quotes in braces is read as it is written: its mistakes are those of CEL.
TEST_CASE("mistakes of expressions in braces are those of the same expressions on their own") {
  for (const std::string_view value :
       {R"('device.attributes["d"].m = 3')", R"('device.attributes["d"].m == 3 and true')",
        R"("device.attributes['d'].m == 3 &&")", R"("device.attributes['d'].m == 'q")",
        R"("device.attributes['d'].m in ['q', 'r'")", R"("device.driver = \"x\"")",
        R"('device.driver == "}" ! ')", R"('device.driver = ''x''')"}) {
    CAPTURE(value);
    const auto words_of = [](const std::string& told) { return told.substr(told.find(' ')); };
    const std::string alone = finding_of(value);
    REQUIRE(!alone.empty());
    for (const std::string_view around :
         {"        - cel: {expression: VALUE}\n", "        - {cel: {expression: VALUE}}\n",
          "        - cel: {expression: VALUE } # why\n",
          "          [{cel: {expression: VALUE}}]\n"}) {
      std::string selector(around);
      selector.replace(selector.find("VALUE"), 5, value);
      CHECK(words_of(base::join(findings_of(selector), "\n\n")) == words_of(alone));
    }
  }
}

std::string place_of(std::string_view selector) {
  const auto all = findings_of(selector);
  return all.size() == 1 ? all.front().substr(0, all.front().find(' ')) : "none";
}

TEST_CASE("a finding about an expression is at the part that it is about") {
  const std::string cel = "        - cel:\n            expression: ";
  CHECK(place_of(cel + "device.driver == 'a' && device.drivr == 'b'\n") == "12:55");
  CHECK(place_of(cel + "|\n              device.driver == 'a' &&\n              device.drivr == "
                       "'b'\n") == "14:21");
  CHECK(place_of(cel + ">-\n              device.driver == 'a' &&\n              device.drivr == "
                       "'b'\n") == "14:21");
  CHECK(place_of(cel + "\"device.driver == \\\"a\\\" &&\n              device.drivr == 'b'\"\n") ==
        "13:21");
  // What the server accepts, too.
  CHECK(place_of(cel + "|\n              device.driver == 'a' &&\n"
                       "              device.capacity['a'].b == quantity('1GB')\n") == "14:41");
  CHECK(place_of(cel + "|\n              device.driver == 'a' &&\n"
                       "              device.attributes['a/b'].c == 1\n") == "14:15");
}

TEST_CASE("a finding about a name that is a key is at the key") {
  const std::string text =
      "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata:\n  name: a\n  labels:\n"
      "    a b: c\nspec:\n  driver: d.example.com\n  nodeName: node\n  pool: {name: p, generation: "
      "1, "
      "resourceSliceCount: 1}\n  devices:\n  - name: x\n    attributes:\n      good:\n        "
      "int: 1\n      not-good:\n        int: 1\n    capacity:\n      good: {value: 1}\n      a "
      "b: {value: 1}\n";
  const snapshot::Server server;
  std::vector<std::string> places;
  for (const Document& document : read_documents(text)) {
    for (const CheckedObject& object :
         ManifestChecker(server).check(std::get<json::Value>(document))) {
      for (const ManifestFinding& finding : object.findings)
        places.push_back(
            base::format("{}:{} {}", finding.position.line, finding.position.column, finding.path));
    }
  }
  CHECK(base::join(places, "\n") ==
        "6:5 metadata.labels\n16:7 spec.devices[0].attributes\n20:7 spec.devices[0].capacity");
}

TEST_CASE("what is beyond doubt is repaired in the text, mistake after mistake") {
  CHECK(with_yaml_repaired("a:1\nexpression: \"x\" == y\nb: 'c\n") ==
        "a: 1\nexpression: '\"x\" == y'\nb: c\n");
  CHECK(with_yaml_repaired("a: 1\n b: 2\n") == "a: 1\n b: 2\n");
  CHECK(with_yaml_repaired("a: 'x\r\nb: 2\r\n") == "a: x\r\nb: 2\r\n");
  CHECK(with_yaml_repaired("{").starts_with("{"));
}

}  // namespace
}  // namespace dra::checks::yaml_mistakes_test
