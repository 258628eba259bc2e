// tests/report/describe/describe_taint_rule_test.cpp

#include <doctest/doctest.h>

#include "dra/api/taint_rule.h"
#include "dra/base/text.h"
#include "tests/report/describe/describe_text.h"

namespace dra::report::describe_taint_rule_test {
namespace {

using support::Scene;
using support::scene;

std::string about_rule(const Scene& words, std::string_view name) {
  return text_about<api::DeviceTaintRule>(words, name, describe_taint_rule);
}

constexpr std::string_view kAll = "deviceSelector: {}";
constexpr std::string_view kEvicts = "key: k, effect: NoExecute, timeAdded: '2026-11-20T09:00:00Z'";

// A running pod p that has d by a claim whose allocation has these tolerations.
Scene running(std::string_view tolerations = "", std::string_view pod = "nodeName: n1") {
  const std::string result =
      base::format("{{device: d, pool: n1, tolerations: [{}]}}", tolerations);
  return scene()
      .slice("n1", {"d", "e"})
      .claim("c", support::exactly("gpu", 1),
             support::allocated(result) + ", reservedFor: [{resource: pods, name: p, uid: p}]")
      .pod("p", "{name: gpu, resourceClaimName: c}", pod, "phase: Running");
}
std::string tolerated(std::string_view more) {
  return base::format("{{key: k, operator: Exists, effect: NoExecute{}}}", more);
}

// A running pod that has d and e, and tolerates it for e only; and d twice, as shares are.
Scene holding_two(std::string_view more = "") {
  const std::string share = base::format("{{device: d, pool: n1{}}}", more);
  return scene()
      .slice("n1", {"d", "e"})
      .claim("c", support::exactly("gpu", 2),
             support::allocated(base::format("{}, {}, {{device: e, pool: n1{}, tolerations: "
                                             "[{{key: k, operator: Exists, effect: NoExecute}}]}}",
                                             share, share, more)) +
                 ", reservedFor: [{resource: pods, name: p, uid: p}]")
      .pod("p", "{name: gpu, resourceClaimName: c}", "nodeName: n1", "phase: Running")
      .taint_rule("r", kAll, kEvicts);
}

TEST_CASE("a pod is evicted as a whole, and told once for each device") {
  const std::string text = about_rule(holding_two(), "r");
  CHECK_MESSAGE(text.find("keeps claims off 2 devices and evicts 1 pod now.") != std::string::npos,
                text);
  const auto first = text.find("evicted now");
  CHECK_MESSAGE(first != std::string::npos, text);
  CHECK_MESSAGE(text.find("evicted now", first + 1) == std::string::npos, text);
  CHECK_MESSAGE(text.find("tolerates it") != std::string::npos, text);
  const std::string watched = about_rule(holding_two(", adminAccess: true"), "r");
  CHECK_MESSAGE(watched.find("d,e | 0") != std::string::npos, watched);
}

TEST_CASE("what a rule does, and to whom") {
  const std::string inform = "key: k, effect: None, timeAdded: '2026-11-20T09:00:00Z'";
  const std::string keep = "key: k, effect: NoSchedule";
  check_all(
      {{"evicts now", running().taint_rule("r", kAll, kEvicts), "r",
        "Taint rule r keeps claims off 2 devices and evicts 1 pod now."},
       {"who is evicted can be asked for", running().taint_rule("r", kAll, kEvicts), "r",
        "who is evicted:  kubectl dra describe pod p -n default"},
       {"evicts later",
        running(tolerated(", tolerationSeconds: 7200")).taint_rule("r", kAll, kEvicts), "r",
        "n1 | evicted in 60m"},
       {"is tolerated", running(tolerated("")).taint_rule("r", kAll, kEvicts), "r",
        "has no pod to evict; 1 pod tolerates it."},
       {"only informs", running().taint_rule("r", kAll, inform), "r",
        "only informs, about 2 devices; with NoExecute it would evict 1 pod at once."},
       {"keeps others away", running().taint_rule("r", kAll, keep), "r",
        "keeps claims off 2 devices; pods that have one stay."},
       {"an effect of a later release", running().taint_rule("r", kAll, "key: k, effect: New"), "r",
        "has no effect: the effect New is unknown"},
       {"the pod is gone",
        running("", "nodeName: n1").taint_rule("r", kAll, kEvicts).cannot_read(api::Kind::Pod), "r",
        "which pods it evicts is not known", "no pod to evict"},
       {"a pod without a node is not evicted", running("", "").taint_rule("r", kAll, kEvicts), "r",
        "has no node yet"},
       {"whoever goes already",
        scene()
            .slice("n1", {"d", "e"})
            .claim("c", support::exactly("gpu", 1),
                   support::allocated("{device: d, pool: n1}") +
                       ", reservedFor: [{resource: pods, name: p, uid: p}]")
            .yaml("{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: default, uid: p, "
                  "deletionTimestamp: '2026-11-20T09:00:00Z'}, spec: {nodeName: n1, "
                  "resourceClaims: [{name: gpu, resourceClaimName: c}]}, status: {phase: Running}}")
            .taint_rule("r", kAll, kEvicts),
        "r", "evicts no more: 1 pod that has one is being deleted."},
       {"a claim that nobody has",
        scene()
            .slice("n1", {"d"})
            .claim("c", support::exactly("gpu", 1), support::allocated("{device: d, pool: n1}"))
            .taint_rule("r", kAll, kEvicts),
        "r", "no pod has the claim"},
       {"claims cannot be read",
        running().taint_rule("r", kAll, kEvicts).cannot_read(api::Kind::Claim), "r",
        "d,e | <unknown>", "no pod"}},
      about_rule);
}

TEST_CASE("what a rule selects") {
  check_all(
      {{"no selector", scene().taint_rule("r", "", kEvicts), "r",
        "! It has no deviceSelector, and so selects no device"},
       {"everything", running().taint_rule("r", kAll, kEvicts), "r",
        "! Its selector is empty: it names every device of the cluster"},
       {"nothing that is there",
        running().taint_rule("r", "deviceSelector: {pool: other}", kEvicts), "r",
        "! No published device is selected"},
       {"slices cannot be read",
        running()
            .taint_rule("r", "deviceSelector: {device: d}", kEvicts)
            .cannot_read(api::Kind::Slice),
        "r", "which devices it selects is not known", "no published device"},
       {"one device", running().taint_rule("r", "deviceSelector: {pool: n1, device: d}", kEvicts),
        "r", "selects pool n1, device d", "d,e"},
       {"a device that is held but not published",
        scene()
            .claim("c", support::exactly("gpu", 1), support::allocated("{device: x, pool: n1}"))
            .taint_rule("r", "deviceSelector: {device: x}", kEvicts),
        "r", "x | default/c"},
       {"a release without rules", running().taint_rule("r", kAll, kEvicts).server("v1.36.0"), "r",
        "! Taint rules do nothing here: DRADeviceTaintRules is off by default in v1.36.0"}},
      about_rule);
}

}  // namespace
}  // namespace dra::report::describe_taint_rule_test
