// tests/report/explain/explanation_evidence_test.cpp: prioritized lists and pools, of which the
// figures are found where the nodes are told, and all of them as JSON.

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "dra/json/write.h"
#include "dra/report/explain/explanation.h"
#include "tests/support/builders.h"
#include "tests/support/document_text.h"

namespace dra::report::explanation_evidence_test {
namespace {

using json::Value;
using support::Scene;
using support::scene;

const Value* reason_of(const Value& report, std::string_view code) {
  for (const Value& node : report.find("nodes")->items()) {
    for (const Value& reason : node.find("reasons")->items()) {
      if (reason.find("code")->text() == code) return &reason;
    }
  }
  return nullptr;
}

Value explained(const Scene& scene) {
  const auto snapshot = scene.build();
  return to_json(answers::explain_claims(snapshot, "default", {"c"}));
}

TEST_CASE("each alternative of a prioritized list has its own outcome") {
  const Scene held = scene()
                         .node("n1")
                         .slice("n1", {"gpu-0"})
                         .held("n1", "gpu-0")
                         .claim("c", support::first_available("gpu", {"count: 1", "count: 2"}));
  const Value report = explained(held);
  const Value* reason = reason_of(report, "NoAlternative");
  REQUIRE(reason != nullptr);
  const auto& alternatives = reason->find("alternatives")->items();
  REQUIRE(alternatives.size() == 2);
  CHECK(alternatives[0].find("request")->text() == "gpu/a");
  CHECK(alternatives[0].find("code")->text() == "CountShort");
  CHECK(alternatives[0].find("inUse")->text() == "1");
  CHECK(alternatives[1].find("request")->text() == "gpu/b");
  CHECK(alternatives[1].find("message")->text() ==
        "request gpu/b needs 2 devices, and the node has 1 in all");
}

TEST_CASE("an alternative that only the other requests keep away has nothing against it") {
  const Scene one = scene()
                        .node("n1")
                        .slice("n1", {"gpu-0"})
                        .claim("c", support::first_available("gpu", {"count: 1", "count: 2"}) +
                                        ", " + support::request("other"));
  const Value report = explained(one);
  const Value* reason = reason_of(report, "NoAlternative");
  REQUIRE(reason != nullptr);
  const auto& alternatives = reason->find("alternatives")->items();
  CHECK(alternatives[0].find("code") == nullptr);
  CHECK(alternatives[1].find("code")->text() == "CountShort");
  CHECK(reason->find("message")->text() ==
        "none of the 2 alternatives of gpu can be served with the other requests");
}

TEST_CASE("many alternatives: each says in the text what became of it") {
  const auto snapshot =
      scene()
          .node("n1")
          .slice("n1", {"gpu-0"})
          .claim("c",
                 support::first_available("gpu", {"count: 5", "count: 4", "count: 3", "count: 2"}))
          .build();
  const std::string text =
      support::text_of(to_view(answers::explain_claims(snapshot, "default", {"c"}), {}));
  CHECK(text.find("request gpu/d") != std::string::npos);
  CHECK(text.find("not enough devices on 1 node") != std::string::npos);
}

TEST_CASE("how many slices of a pool are there") {
  const Scene incomplete = scene().node("n1").slice(
      {.name = "s", .pool = "p", .generation = 3, .count = 4, .devices = "{name: gpu-0}"});
  const Value report = explained(Scene(incomplete).claim("c", support::exactly("gpu", 1)));
  const Value* reason = reason_of(report, "PoolIncomplete");
  REQUIRE(reason != nullptr);
  const Value* pool = reason->find("pool");
  REQUIRE(pool != nullptr);
  CHECK(pool->find("pool")->text() == "p");
  CHECK(pool->find("generation")->text() == "3");
  CHECK(pool->find("slicesSeen")->text() == "1");
  CHECK(pool->find("slicesExpected")->text() == "4");
}

}  // namespace
}  // namespace dra::report::explanation_evidence_test
