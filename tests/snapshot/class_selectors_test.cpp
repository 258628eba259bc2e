// tests/snapshot/class_selectors_test.cpp: rules for taints that choose devices as later releases
// do not.

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "dra/snapshot/builder.h"

namespace dra::snapshot::class_selectors_test {
namespace {

TEST_CASE("a rule that chooses devices by class chooses none, and a warning says so") {
  Builder builder;
  std::string text;
  for (const char* rule : {"a v1alpha3 driver", "b v1alpha3 deviceClassName", "c v1 driver"}) {
    const auto words = base::split(rule, ' ');
    text += base::format(
        "---\n{{apiVersion: resource.k8s.io/{}, kind: DeviceTaintRule, metadata: {{name: {}}}, "
        "spec: {{deviceSelector: {{pool: p, {}: x}}, taint: {{key: k, effect: NoSchedule}}}}}}\n",
        words[1], words[0], words[2]);
  }
  REQUIRE(builder.add_text(text, "dump").ok());
  const auto built = std::move(builder).build();
  REQUIRE(built.ok());
  const auto& rules = built.value().all<api::DeviceTaintRule>();
  REQUIRE(rules.size() == 3);
  CHECK(rules[0].spec.selector->driver == "x");
  CHECK_FALSE(rules[1].spec.selector.has_value());
  CHECK(rules[2].spec.selector->driver == "x");
  REQUIRE(built.value().warnings().size() == 1);
  CHECK(built.value().warnings().front().starts_with("DeviceTaintRule b selects devices by class"));
}

}  // namespace
}  // namespace dra::snapshot::class_selectors_test
