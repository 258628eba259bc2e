// tests/engine/cluster/taints_test.cpp

#include "dra/engine/cluster/taints.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/api/taint_rule.h"
#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::taints_test {
namespace {

using support::Scene;
using support::scene;

struct ToleranceCase {
  const char* name;
  api::Toleration toleration;
  bool want;  // of the taint fault=xid:NoSchedule
};

const ToleranceCase kTolerances[] = {
    {"the same in everything",
     {.key = "fault", .op = "Equal", .value = "xid", .effect = "NoSchedule"},
     true},
    {"an empty operator is Equal", {.key = "fault", .value = "xid"}, true},
    {"Equal wants the value", {.key = "fault", .op = "Equal", .value = "other"}, false},
    {"Equal without a value wants an empty one", {.key = "fault", .op = "Equal"}, false},
    {"Exists takes any value", {.key = "fault", .op = "Exists"}, true},
    {"Exists wants the key", {.key = "other", .op = "Exists"}, false},
    {"an empty key stands for all keys", {.op = "Exists"}, true},
    {"an empty key with Equal still wants the value", {.op = "Equal", .value = "xid"}, true},
    {"an empty key with Equal and another value", {.op = "Equal", .value = "other"}, false},
    {"an empty effect stands for all effects",
     {.key = "fault", .op = "Exists", .effect = ""},
     true},
    {"another effect is not meant", {.key = "fault", .op = "Exists", .effect = "NoExecute"}, false},
    {"seconds matter to eviction only", {.key = "fault", .op = "Exists", .seconds = 0}, true},
    {"an operator of a later release tolerates nothing", {.key = "fault", .op = "Like"}, false},
    {"the empty toleration is Equal to an empty value", {}, false},
};

TEST_CASE("tolerations") {
  const api::DeviceTaint taint{.key = "fault", .value = "xid", .effect = "NoSchedule"};
  for (const ToleranceCase& row : kTolerances) {
    CAPTURE(row.name);
    CHECK(tolerates(row.toleration, taint) == row.want);
  }
}

TEST_CASE("every taint needs a toleration of its own") {
  const api::DeviceTaint one{.key = "one", .effect = "NoSchedule"};
  const api::DeviceTaint two{.key = "two", .effect = "NoExecute"};
  const api::Toleration tolerations[] = {{.key = "one", .op = "Exists"},
                                         {.key = "two", .op = "Exists"}};
  const DeviceTaintOf both[] = {{&one, nullptr}, {&two, nullptr}};
  CHECK(tolerates_all({}, {}));
  CHECK_FALSE(tolerates_all({}, {both, 1}));
  CHECK_FALSE(tolerates_all({tolerations, 1}, both));
  CHECK(tolerates_all(tolerations, both));
}

struct Case {
  const char* name;
  Scene scene;
  const char* want;  // the taints of device d, those of rules with the rule's name
};

Scene with_taints(std::string_view taints) {
  return Scene().slice(
      {.name = "s", .devices = "{name: d, taints: [" + std::string(taints) + "]}"});
}

constexpr const char* kTaint = "key: rule, effect: NoSchedule";

TEST_CASE("the taints of a device") {
  const Case rows[] = {
      {"none", with_taints(""), ""},
      {"the driver's, as listed",
       with_taints("{key: z1, effect: NoExecute}, {key: a1, effect: NoSchedule}"), "z1 a1"},
      {"the effect None only informs",
       with_taints("{key: info, effect: None}, {key: bad, effect: NoSchedule}"), "bad"},
      {"an unknown effect is ignored", with_taints("{key: info, effect: PreferNoSchedule}"), ""},
      {"a rule without a selector names no device", with_taints("").taint_rule("r", "", kTaint),
       ""},
      {"a rule with an empty selector names every device",
       with_taints("").taint_rule("r", "deviceSelector: {}", kTaint), "rule(r)"},
      {"a rule for the driver",
       with_taints("").taint_rule("r", "deviceSelector: {driver: gpu.example.com}", kTaint),
       "rule(r)"},
      {"a rule for another driver",
       with_taints("").taint_rule("r", "deviceSelector: {driver: other.com, device: d}", kTaint),
       ""},
      {"a rule for pool and device",
       with_taints("").taint_rule("r", "deviceSelector: {pool: pool, device: d}", kTaint),
       "rule(r)"},
      {"all that a selector names must agree",
       with_taints("").taint_rule("r", "deviceSelector: {pool: pool, device: e1}", kTaint), ""},
      {"a rule that only informs",
       with_taints("").taint_rule("r", "deviceSelector: {}", "key: rule, effect: None"), ""},
      {"rules come after the driver's own",
       with_taints("{key: own, effect: NoSchedule}").taint_rule("r", "deviceSelector: {}", kTaint),
       "own rule(r)"},
      {"rules are a gate of their own",
       with_taints("{key: own, effect: NoSchedule}")
           .taint_rule("r", "deviceSelector: {}", kTaint)
           .server("v1.36.0"),
       "own"},
      {"without the gate there are no taints",
       with_taints("{key: own, effect: NoSchedule}").server("v1.35.0"), ""},
  };
  for (const Case& row : rows) {
    CAPTURE(row.name);
    const auto snapshot = row.scene.build();
    const Taints taints(snapshot, features_of(snapshot.server()));
    const auto& device = snapshot.all<api::ResourceSlice>().front().spec.devices.front();
    std::vector<std::string> got;
    for (const DeviceTaintOf& of : taints.blocking({"gpu.example.com", "pool", "d"}, device)) {
      got.push_back(of.rule == nullptr ? std::string(of.taint->key)
                                       : base::format("{}({})", of.taint->key, of.rule->meta.name));
    }
    CHECK(base::join(got, " ") == row.want);
  }
}

}  // namespace
}  // namespace dra::engine::taints_test
