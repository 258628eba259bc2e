// tests/answers/explain/selector_findings_test.cpp: what is said to be wrong with selectors, and
// where.

#include "dra/answers/explain/selector_findings.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "dra/answers/explain/explanation.h"
#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::answers::selector_findings_test {
namespace {

using support::exactly;
using support::Scene;
using support::scene;

// Three devices, of which one lacks a name and one is larger than the others.
Scene devices() {
  return scene().node("n1").slice(
      {.name = "s",
       .devices =
           "{name: a, attributes: {type: {string: gpu}}, capacity: {memory: {value: 40Gi}}}, "
           "{name: b, attributes: {type: {string: mig}}, capacity: {memory: {value: 80Gi}}}, "
           "{name: c, capacity: {memory: {value: 40Gi}}}"});
}

std::string selectors(const std::vector<std::string>& expressions) {
  std::vector<std::string> list;
  for (const std::string& expression : expressions)
    list.push_back(base::format("{{cel: {{expression: \"{}\"}}}}", expression));
  return base::format("selectors: [{}]", base::join(list, ", "));
}

std::string to_line(const SelectorFinding& finding) {
  std::string line =
      base::format("{} {}{} [{},{}) {}/{} met {}: {}", diag::name_of(finding.finding.code),
                   finding.of_class ? "class " : "", finding.index, finding.span.begin,
                   finding.span.end, finding.devices, finding.of, finding.met, finding.part);
  if (!finding.finding.message.empty()) line += " | " + finding.finding.message;
  for (const engine::SeenInstead& seen : finding.seen)
    line += base::format(" | {} x{}", seen.text, seen.devices);
  return line + "\n";
}

std::string findings(const snapshot::Snapshot& snapshot) {
  const engine::Inventory inventory(snapshot);
  const engine::Subject subject = engine::subject_of_claims(snapshot, "default", {"c"});
  const engine::Demands demands(snapshot, inventory, subject);
  const auto named = api::demands_of(subject.claims.front().spec->devices.requests.front());
  std::string text;
  const api::DeviceDemand& demand = *named.front().demand;
  for (const SelectorFinding& finding : findings_of(demands, demand, demands.clauses_of(demand)))
    text += to_line(finding);
  return text;
}

constexpr const char* kType = "device.attributes['gpu.example.com'].type";
constexpr const char* kGuarded = "device.attributes['gpu.example.com'].?type.orValue('none')";

TEST_CASE("what is wrong with selectors") {
  struct Row {
    const char* name;
    std::vector<std::string> expressions;
    std::string want;
  };
  const Row rows[] = {
      {"nothing", {"device.driver == 'gpu.example.com'"}, ""},
      {"one device is enough", {base::format("{} == 'mig'", kGuarded)}, ""},
      {"no device has it",
       {base::format("{} == 'GPU'", kGuarded)},
       base::format("NoMatch 0 [0,67) 3/3 met 0: {} == 'GPU' | \"gpu\" x1 | \"mig\" x1 | \"none\" "
                    "x1\n",
                    kGuarded)},
      {"the condition that stands alone between it and devices",
       {base::format("{0} == 'gpu' && device.driver != 'gpu.example.com'", kGuarded)},
       "NoMatch 0 [71,105) 1/3 met 0: device.driver != 'gpu.example.com' | \"gpu.example.com\" "
       "x1\n"},
      {"of the second selector",
       {"true", "device.driver == 'x'"},
       "NoMatch 1 [0,20) 3/3 met 0: device.driver == 'x' | \"gpu.example.com\" x3\n"},
      {"it fails for one of three",
       {base::format("{} == 'gpu'", kType)},
       base::format("SelectorError 0 [0,41) 1/3 met 0: {} | no such key: type\n", kType)},
      {"it fails only for what the one before leaves",
       {base::format("{} == 'gpu'", kGuarded), base::format("{} == 'gpu'", kType)},
       ""},
      {"it does not compile",
       {"device.nothing"},
       "SelectorCompile 0 [0,14) 3/3 met 0: device.nothing | compilation failed: ERROR: "
       "<input>:1:7: undefined field 'nothing'\n"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(findings(devices().claim("c", exactly("gpu", 1, selectors(row.expressions))).build()) ==
          row.want);
  }
}

TEST_CASE("a class of which no device is") {
  const auto snapshot =
      devices().device_class("none", "device.driver == 'x'").claim("c", exactly("none", 1)).build();
  CHECK(findings(snapshot) ==
        "NoMatch class 0 [0,20) 3/3 met 0: device.driver == 'x' | \"gpu.example.com\" x3\n");
}

TEST_CASE("without devices nothing is wrong with selectors") {
  CHECK(findings(scene().node("n1").claim("c", exactly("gpu", 1, selectors({"false"}))).build()) ==
        "");
}

TEST_CASE("the cause names the condition that no device meets") {
  const auto explain = [](const std::string& expression) {
    return explain_claims(devices().claim("c", exactly("gpu", 1, selectors({expression}))).build(),
                          "default", {"c"});
  };
  const Explanation never = explain(base::format("{} == 'GPU'", kGuarded));
  CHECK(never.code == diag::Code::NoMatch);
  CHECK(never.cause == base::format("no device meets {} == 'GPU'", kGuarded));
  const Explanation almost = explain(base::format(
      "{} == 'gpu' && device.capacity['gpu.example.com'].memory == quantity('80Gi')", kGuarded));
  CHECK(almost.code == diag::Code::NoMatch);
  CHECK(almost.cause.starts_with("no device that meets the other conditions meets "));
}

TEST_CASE("a reason about a selector has the part and the values") {
  const auto snapshot =
      devices()
          .claim("c", exactly("gpu", 2, selectors({base::format("{} == 'mig'", kGuarded)})))
          .build();
  const Explanation explanation = explain_claims(snapshot, "default", {"c"});
  REQUIRE(explanation.nodes.size() == 1);
  const auto& reasons = explanation.nodes.front().reasons;
  const auto found = std::ranges::find(reasons, diag::Code::SelectorFalse, &diag::Reason::code);
  REQUIRE(found != reasons.end());
  CHECK(found->examples.front() == "gpu.example.com/pool/a");
  CHECK(found->span == std::pair<std::uint32_t, std::uint32_t>(0, 67));
  const std::pair<std::string, std::string> value{kGuarded, "\"gpu\""};
  CHECK(std::ranges::find(found->values, value) != found->values.end());
}

}  // namespace
}  // namespace dra::answers::selector_findings_test
