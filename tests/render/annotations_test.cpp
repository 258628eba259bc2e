// tests/render/annotations_test.cpp: what other programs' formats cannot hold as it is. Whole files
// stand in tests/golden/validate.

#include "dra/render/annotations.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/json/parse.h"

namespace dra::render::annotations_test {
namespace {

json::Value report(const std::string& finding) {
  return json::parse_json("{\"findings\": [" + finding + "]}").take();
}

const std::string kHostile =
    R"({"file": "a b/c,d:e.yaml", "line": 3, "column": 7, "object": "Pod <x>", "path": "spec[a&b]",)"
    R"( "severity": "error", "code": "Invalid", "message": "100 % \"wrong\"\nreally", "fix": "f"})";
const std::string kHint =
    R"({"file": "a.yaml", "line": 0, "column": 0, "object": "", "path": "", "severity": "hint",)"
    R"( "code": "ServerField", "message": "m"})";

TEST_CASE("GitHub's workflow commands") {
  CHECK(to_github(report(kHostile)) ==
        "::error file=a b/c%2Cd%3Ae.yaml,line=3,col=7,title=Invalid::spec[a&b]: 100 %25 \"wrong\""
        "%0Areally -> f\n");
  CHECK(to_github(report(kHint)) == "::notice file=a.yaml,title=ServerField::m\n");
  CHECK(to_github(report("")).empty());
}

TEST_CASE("problems of a cluster are about objects") {
  const json::Value doctor =
      json::parse_json(
          R"({"kind": "Doctor", "problems": [{"code": "CountShort", "severity": "error", "subject": )"
          R"({"kind": "Pod", "namespace": "ml", "name": "a"}, "message": "m.", "advice": "do"}]})")
          .take();
  CHECK(to_github(doctor) == "::error title=CountShort::m. -> do\n");
  CHECK(to_junit(doctor).find("<testcase classname=\"Pod ml/a\" name=\"CountShort\"") !=
        std::string::npos);
  CHECK(to_junit(doctor).find("<testsuite name=\"cluster\" tests=\"1\"") != std::string::npos);
  CHECK(to_sarif(doctor, "v1").find("\"fullyQualifiedName\": \"Pod ml/a\"") != std::string::npos);
}

TEST_CASE("JUnit") {
  const std::string xml = to_junit(report(kHostile));
  CHECK(xml.find("classname=\"Pod &lt;x&gt;\"") != std::string::npos);
  CHECK(xml.find("name=\"3:7 Invalid spec[a&amp;b]\"") != std::string::npos);
  CHECK(xml.find("tests=\"1\" failures=\"1\"") != std::string::npos);
  CHECK(to_junit(report(kHint)).find("failures=\"0\"") != std::string::npos);
  CHECK(to_junit(report("")).find("nothing found") != std::string::npos);
}

TEST_CASE("SARIF") {
  const auto log = json::parse_json(to_sarif(report(kHostile + "," + kHint), "v1"));
  REQUIRE(log.ok());
  const json::Value& run = log.value().find("runs")->items().front();
  CHECK(run.at({"tool", "driver", "rules"})->items().size() == 2);
  const auto& results = run.find("results")->items();
  REQUIRE(results.size() == 2);
  CHECK(results[0].find("level")->text() == "error");
  CHECK(results[1].find("level")->text() == "note");
  const json::Value& place =
      *results[0].find("locations")->items().front().find("physicalLocation");
  CHECK(place.at({"artifactLocation", "uri"})->text() == "a%20b/c%2Cd%3Ae.yaml");
  CHECK(place.at({"region", "startLine"})->text() == "3");
}

}  // namespace
}  // namespace dra::render::annotations_test
