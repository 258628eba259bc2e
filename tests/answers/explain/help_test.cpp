// tests/answers/explain/help_test.cpp: for whom help is looked for.

#include "src/answers/explain/help.h"

#include <doctest/doctest.h>

#include "tests/support/builders.h"

namespace dra::answers::help_test {
namespace {

using support::exactly;
using support::scene;

TEST_CASE("help is looked for where it is proven that nothing fits, and all nodes were looked at") {
  const auto snapshot = scene()
                            .node("n1")
                            .node("n2")
                            .slice("n1", {"a"})
                            .claim("c", exactly("gpu", 2))
                            .claim("fits", exactly("gpu", 1))
                            .build();
  const auto help = explain_claims(snapshot, "default", {"c"}).help;
  REQUIRE(help);
  CHECK(help->advice.advice.size() == 1);
  CHECK(help->conflicts.conflicts.size() == 1);
  CHECK_FALSE(explain_claims(snapshot, "default", {"fits"}).help);
  CHECK_FALSE(explain_claims(snapshot, "default", {"c"}, {.nodes = {"n1"}}).help);
}

}  // namespace
}  // namespace dra::answers::help_test
