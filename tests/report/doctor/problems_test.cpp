// tests/report/doctor/problems_test.cpp: a problem as JSON.

#include "dra/report/doctor/problems.h"

#include <doctest/doctest.h>

#include "dra/json/write.h"

namespace dra::report::problems_test {
namespace {

TEST_CASE("a problem as JSON keeps the contract") {
  const answers::Problem problem{.finding = {.code = diag::Code::CountShort,
                                             .subjects = {{"Pod", "ml", "a"}, {"Node", {}, {}}},
                                             .message = "m"},
                                 .remedy = {.text = {}, .command = "explain pod a -n ml"}};
  CHECK(
      write_json(to_json(problem, "kubectl dra explain pod a -n ml --demo"),
                 json::Style::Compact) ==
      R"({"code":"CountShort","severity":"error","subject":{"kind":"Pod","namespace":"ml",)"
      R"("name":"a"},"subjects":[{"kind":"Pod","namespace":"ml","name":"a"},{"kind":"Node"}],)"
      R"("message":"m","advice":"Release devices, lower the count, or add a node with enough of them.",)"
      R"("command":"kubectl dra explain pod a -n ml --demo"})");
}

}  // namespace
}  // namespace dra::report::problems_test
