// tests/engine/facts/known_bugs_test.cpp: which releases have a bug.

#include "dra/engine/facts/known_bugs.h"

#include <doctest/doctest.h>

#include <string>

namespace dra::engine::known_bugs_test {
namespace {

TEST_CASE("a release has a bug until the patch release with its fix") {
  CHECK(words_of(Bug::IdleConnection, "v1.34.1").find("133920") != std::string::npos);
  CHECK(words_of(Bug::IdleConnection, "v1.34.2").empty());
  CHECK(words_of(Bug::IdleConnection, "v1.33.0").empty());
  CHECK(words_of(Bug::IdleConnection, "v1.34.2-eks-1").empty());
  CHECK(words_of(Bug::DeviceAllocatedTwice, "v1.35.0").find("v1.35 before v1.35.1") !=
        std::string::npos);
}

TEST_CASE("without a patch release it may have the bug") {
  CHECK_FALSE(words_of(Bug::IdleConnection, "v1.34").empty());
  CHECK(words_of(Bug::IdleConnection, "none").empty());
  snapshot::Server assumed{.version = "v1.36.9", .assumed = true};
  CHECK(words_of(Bug::RulesNotFollowed, assumed).empty());
  assumed.version = "v1.36";  // as kubelets show it
  CHECK_FALSE(words_of(Bug::RulesNotFollowed, assumed).empty());
  assumed = {.version = "v1.36.9", .assumed = false};
  CHECK(words_of(Bug::RulesNotFollowed, assumed).empty());
}

TEST_CASE("a release that never got the fix has the bug in each patch release") {
  CHECK_FALSE(words_of(Bug::TolerationLost, "v1.34.9").empty());
  CHECK(words_of(Bug::TolerationLost, "v1.35.0").empty());
}

TEST_CASE("gangs that share a claim, and extended resources on tainted devices") {
  CHECK(words_of(Bug::GangSharesClaim, "v1.35.4").find("137617") != std::string::npos);
  CHECK(words_of(Bug::GangSharesClaim, "v1.36.0").empty());
  CHECK(words_of(Bug::GangSharesClaim, "v1.34.4").empty());  // it has no gangs
  for (const char* release : {"v1.34.0", "v1.35.4", "v1.36.3", "v1.37.1"}) {
    const std::string words = words_of(Bug::ExtendedResourceStays, release);
    CHECK(words.find("kube-controller-manager") != std::string::npos);
    CHECK(words.find("141290") != std::string::npos);
  }
}

TEST_CASE("a message of the scheduler is a sign of a bug") {
  CHECK(bug_in("number of allocations 1 is smaller than number of claims 2") ==
        Bug::ScoreOfAllocatedClaim);
  CHECK_FALSE(bug_in("0/3 nodes are available: 3 cannot allocate all claims.").has_value());
}

}  // namespace
}  // namespace dra::engine::known_bugs_test
