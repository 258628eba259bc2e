// tests/report/explain/explanation_outlook_test.cpp: where it is said whether a subject could ever
// fit.

#include <doctest/doctest.h>

#include <string>

#include "dra/report/explain/explanation.h"
#include "tests/support/builders.h"
#include "tests/support/document_text.h"

namespace dra::report::explanation_outlook_test {
namespace {

TEST_CASE("it stands before the evidence") {
  const auto snapshot = support::scene()
                            .node("n1")
                            .node("n2")
                            .slice("n1", {"gpu-0"})
                            .slice("n2", {"gpu-0", "gpu-1"})
                            .held("n2", "gpu-1")
                            .claim("c", support::exactly("gpu", 2))
                            .pod("p", "{name: one, resourceClaimName: c}")
                            .build();
  const auto explanation = answers::explain_pod(snapshot, *snapshot.find<api::Pod>("default", "p"));
  const std::string text = support::text_of(to_view(explanation, {}));
  const std::size_t outlook = text.find("The pods that hold claim ");
  REQUIRE(outlook != std::string::npos);
  CHECK(text.find("To make it fit") < outlook);
  CHECK(text.find("request gpu  2 x") > outlook);
}

}  // namespace
}  // namespace dra::report::explanation_outlook_test
