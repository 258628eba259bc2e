// tests/api/release_test.cpp: versions of API servers and kubelets, as distributions write them.

#include "dra/api/release.h"

#include <doctest/doctest.h>

namespace dra::api::release_test {
namespace {

TEST_CASE("the numbers of a version") {
  const auto full = release_of("v1.36.2-gke.100");
  REQUIRE(full.has_value());
  CHECK(full->minor == 36);
  CHECK(full->patch == 2);
  const auto brief = release_of("1.34");
  REQUIRE(brief.has_value());
  CHECK(brief->minor == 34);
  CHECK_FALSE(brief->patch.has_value());
  CHECK(release_of("v1.35+")->minor == 35);
}

TEST_CASE("other text is no version") {
  for (const char* text :
       {"", "v", "v1", "v1.", "v1.x", "v2.3.4", "v1.36x", "v1.-3", "v1.99999999999"})
    CHECK_FALSE(release_of(text).has_value());
}

}  // namespace
}  // namespace dra::api::release_test
