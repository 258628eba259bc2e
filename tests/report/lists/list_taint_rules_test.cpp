// tests/report/lists/list_taint_rules_test.cpp

#include "dra/report/lists/list_taint_rules.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/api/taint_rule.h"
#include "tests/support/builders.h"
#include "tests/support/document_text.h"

namespace dra::report::list_taint_rules_test {
namespace {

using support::Scene;
using support::scene;

constexpr const char* kTaint = "key: k, value: v, effect: NoExecute";

Scene in_use() {
  return scene()
      .slice("n1", {"d0", "d1"})
      .held("n1", "d0")
      .pod("user", "{name: a, resourceClaimName: n1-d0}", "nodeName: n1");
}

struct Case {
  const char* name;
  Scene scene;
  const char* want;  // NAME | DRIVER | POOL | DEVICE | TAINT | DEVICES | PODS | AGE
};

TEST_CASE("rows") {
  const Case rows[] = {
      {"of a pool", in_use().taint_rule("r", "deviceSelector: {pool: n1}", kTaint),
       "r | <any> | n1 | <any> | k=v:NoExecute | 2 | 1 | <unknown>\n"},
      {"of one device",
       in_use().taint_rule("r", "deviceSelector: {driver: gpu.example.com, device: d1}",
                           "key: k, effect: NoSchedule"),
       "r | gpu.example.com | <any> | d1 | k:NoSchedule | 1 | 0 | <unknown>\n"},
      {"of none", in_use().taint_rule("r", "", kTaint),
       "r | <none> | <none> | <none> | k=v:NoExecute | 0 | 0 | <unknown>\n"},
      {"without slices",
       in_use().taint_rule("r", "deviceSelector: {}", kTaint).cannot_read(api::Kind::Slice),
       "r | <any> | <any> | <any> | k=v:NoExecute | <unknown> | 1 | <unknown>\n"},
      {"without claims",
       in_use().taint_rule("r", "deviceSelector: {}", kTaint).cannot_read(api::Kind::Claim),
       "r | <any> | <any> | <any> | k=v:NoExecute | 2 | <unknown> | <unknown>\n"},
      {"without pods",
       in_use().taint_rule("r", "deviceSelector: {}", kTaint).cannot_read(api::Kind::Pod),
       "r | <any> | <any> | <any> | k=v:NoExecute | 2 | <unknown> | <unknown>\n"},
      {"an effect that evicts no pod",
       in_use().taint_rule("r", "deviceSelector: {}", "key: k, effect: None"),
       "r | <any> | <any> | <any> | k:None | 2 | 0 | <unknown>\n"},
      {"a gate that is off",
       in_use().taint_rule("r", "deviceSelector: {}", kTaint).server("v1.36.0"),
       "r | <any> | <any> | <any> | k=v:NoExecute | 2 | 0 | <unknown>\n"},
  };
  for (const Case& row : rows) {
    CAPTURE(std::string(row.name));
    const auto snapshot = row.scene.build();
    const engine::Inventory inventory(snapshot);
    const std::vector<const api::DeviceTaintRule*> rules{
        &snapshot.all<api::DeviceTaintRule>().at(0)};
    const auto found = taint_rule_rows(snapshot, inventory, rules);
    CHECK(support::rows_of(taint_rules_view(found, {})) == row.want);
  }
}

}  // namespace
}  // namespace dra::report::list_taint_rules_test
