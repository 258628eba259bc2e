// tests/api/words_test.cpp

#include "dra/api/words.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/builders.h"

namespace dra::api::words_test {
namespace {

struct ConsumerCase {
  const char* name;
  const char* reserved_for;
  const char* consumers;  // at most two
};

const ConsumerCase kConsumers[] = {
    {"nobody", "", ""},
    {"a pod by its name", "{resource: pods, name: a}", "a"},
    {"more than the limit",
     "{resource: pods, name: a}, {resource: pods, name: b}, {resource: pods, name: c}, {resource: "
     "pods, "
     "name: d}",
     "a,b,+2"},
    {"exactly the limit", "{resource: pods, name: a}, {resource: pods, name: b}", "a,b"},
    {"what is not a pod says so", "{apiGroup: scheduling.k8s.io, resource: podgroups, name: g}",
     "podgroups/g"},
    {"pods of another group are no pods", "{apiGroup: x.com, resource: pods, name: a}", "pods/a"},
};

TEST_CASE("who has reserved a claim") {
  for (const ConsumerCase& row : kConsumers) {
    CAPTURE(row.name);
    const auto snapshot = support::scene()
                              .claim("c", support::exactly("gpu", 1),
                                     "reservedFor: [" + std::string(row.reserved_for) + "]")
                              .build();
    CHECK(consumers_of(snapshot.all<ResourceClaim>().front(), 2) == row.consumers);
  }
}

}  // namespace
}  // namespace dra::api::words_test
