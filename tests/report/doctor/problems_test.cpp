// tests/report/doctor/problems_test.cpp: a problem as JSON.

#include "dra/report/doctor/problems.h"

#include <doctest/doctest.h>

#include "dra/answers/problems/doctor.h"
#include "dra/base/text.h"
#include "dra/json/write.h"
#include "dra/report/explain/explanation.h"
#include "tests/support/builders.h"

namespace dra::report::problems_test {
namespace {

TEST_CASE("a problem as JSON keeps the contract") {
  const answers::Problem problem{.finding = {.code = diag::Code::CountShort,
                                             .subjects = {{"Pod", "ml", "a"}, {"Node", {}, {}}},
                                             .message = "m"},
                                 .remedy = {.text = {}, .command = "explain pod a -n ml"},
                                 .step_command = "kubectl dra describe pod a -n ml"};
  CHECK(
      write_json(to_json(problem, {.program = "kubectl dra", .flags = " --demo"}),
                 json::Style::Compact) ==
      R"({"code":"CountShort","severity":"error","subject":{"kind":"Pod","namespace":"ml",)"
      R"("name":"a"},"subjects":[{"kind":"Pod","namespace":"ml","name":"a"},{"kind":"Node"}],)"
      R"("message":"m","advice":"Release devices, lower the count, or add a node with enough of them.",)"
      R"("adviceCommand":"kubectl dra describe pod a -n ml --demo",)"
      R"("command":"kubectl dra explain pod a -n ml --demo"})");
}

const api::Pod& first_pod(const snapshot::Snapshot& snapshot, const answers::Problem& problem) {
  const diag::SubjectName& name = problem.finding.subjects.front();
  const auto* pod = snapshot.find<api::Pod>(name.namespace_, name.name);
  REQUIRE(pod != nullptr);
  return *pod;
}

// The messages and commands of both, behind their numbers.
std::string advice_of_explain(const snapshot::Snapshot& snapshot, const api::Pod& pod,
                              const std::vector<TriedAdvice>& tried) {
  const json::Value report = to_json(answers::explain_pod(snapshot, pod));
  std::string text;
  for (const TriedAdvice& one : tried) {
    const json::Value& same = report.find("advice")->items().at(one.number - 1);
    text += base::format("{} {}", one.number, same.find("message")->text());
    if (const json::Value* commands = same.find("commands"))
      text += write_json(*commands, json::Style::Compact);
  }
  return text;
}

std::string text_of(const std::vector<TriedAdvice>& tried) {
  std::string text;
  for (const TriedAdvice& one : tried) {
    text += base::format("{} {}", one.number, one.words);
    json::Value commands = json::Value::array();
    for (const std::string& command : one.commands)
      commands.push(command);
    if (!one.commands.empty()) text += write_json(commands, json::Style::Compact);
  }
  return text;
}

TEST_CASE("doctor gives the advice that explain gives") {
  std::vector<std::string> scenes = support::fixtures();
  for (const char* name :
       {"workloads", "deployed", "together", "states", "other-pods", "selector-mistakes"})
    scenes.push_back(base::format("tests/golden/scenes/{}.yaml", name));
  int compared = 0;
  for (const std::string& path : scenes) {
    CAPTURE(path);
    const auto snapshot = support::load(path);
    const engine::Inventory inventory(snapshot);
    const answers::Doctor doctor = answers::examine({snapshot, inventory, *snapshot.time()}, {});
    for (const answers::Problem& problem : doctor.problems) {
      if (!problem.explained) continue;
      const auto tried = tried_for(problem);
      REQUIRE(!tried.empty());
      CHECK(text_of(tried) == advice_of_explain(snapshot, first_pod(snapshot, problem), tried));
      ++compared;
    }
  }
  CHECK(compared > 20);
}

}  // namespace
}  // namespace dra::report::problems_test
