// tests/report/diff/diff_report_test.cpp: the text of a diff.

#include "dra/report/diff/diff_report.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "tests/answers/diff/diff_scenes.h"
#include "tests/support/document_text.h"

namespace dra::report::diff_report_test {
namespace {

using support::add_job_pods;
using support::allocated;
using support::deleted_pod;
using support::exactly;
using support::fails;
using support::fleet;
using support::held;
using support::kWants;
using support::on_node;
using support::one_device;
using support::placed;
using support::running;
using support::Scene;
using support::scene;
using support::waiting;

std::string text(const Scene& before, const Scene& after) {
  const auto old = before.build();
  const auto now = after.build();
  return support::text_of(to_view(answers::diff_of(old, now, {}), false));
}

TEST_CASE("a pod that has its node and does not run as before") {
  Scene gone = scene().node("n1").node("n2");
  const std::string reserved = ", reservedFor: [{resource: pods, name: p, uid: p}]";
  gone.claim("c", exactly("gpu", 1), held("a", reserved))
      .pod("p", kWants, "nodeName: n1", "phase: Running");
  CHECK(text(running(), gone).find("runs on node n1, but") != std::string::npos);
}

TEST_CASE("what could not be read in both states is omitted") {
  Scene taken = one_device();
  taken.claim("x", exactly("gpu", 1), held("a"));
  Scene blind = one_device();
  blind.cannot_read(api::Kind::Claim);
  CHECK(text(taken, blind) == "Nothing changed, as far as both states could be read.\n");
}

TEST_CASE("another release is a change, and may be the one that decided") {
  const auto of = [](const char* version) {
    Scene words = waiting();
    return words.taint_rule("t", "driver: gpu.example.com", "key: k, effect: NoSchedule")
        .server(version);
  };
  CHECK(text(of("v1.34.0"), of("v1.37.1")).find("Kubernetes v1.37.1 instead of v1.34.0") !=
        std::string::npos);
}

TEST_CASE("devices are folded in the order of their numbers") {
  Scene many = scene().node("n1").node("n2");
  many.slice("n1", {"g-1", "g-2", "g-3", "g-10", "g-11", "g-12"});
  Scene none = scene().node("n1").node("n2");
  CHECK(text(none, many).find("gpu.example.com n1: g-1…3,g-10…12 came\n") != std::string::npos);
}

TEST_CASE("several devices of one pool that one claim had are told together, in the plural") {
  Scene two = scene().node("n1").slice("n1", {"a", "b"});
  two.claim("x", exactly("gpu", 2),
            allocated("{device: a, pool: n1}, {device: b, pool: n1}", on_node("n1")));
  Scene none = scene().node("n1");
  none.claim("x", exactly("gpu", 2));
  CHECK(text(two, none).find(" n1: a,b gone, were in use by default/x\n") != std::string::npos);
}

TEST_CASE("of pools of which the same is to be said, one line, where the first stands") {
  Scene none = scene();
  Scene some = scene();
  for (const char* node : {"n1", "n2", "n3"}) {
    none.node(node);
    some.node(node);
  }
  some.slice("n1", {"a"}).slice("n2", {"b"}).slice("n3", {"a"});
  const std::string told = text(none, some);
  const std::size_t twice = told.find("gpu.example.com n1,n3: a came, in each of 2 pools\n");
  CAPTURE(told);
  REQUIRE(twice != std::string::npos);
  CHECK(twice < told.find("gpu.example.com n2: b came\n"));
}

TEST_CASE("an event that decided is told in its words") {
  Scene failing = placed();
  fails(failing, "p");
  CHECK(text(placed(), failing)
            .find("Event default/e: added, FailedPrepareDynamicResources: Failed to prepare") !=
        std::string::npos);
  // It is no object that anybody changed.
  CHECK(text(placed(), failing).starts_with("0 objects changed; 1 verdict changed.\n"));
  // Seen once more, of another pod, or of another kind: nothing.
  Scene again = placed();
  fails(again, "p")
      .yaml(
          "{apiVersion: v1, kind: Event, metadata: {name: f, namespace: default}, involvedObject: "
          "{kind: Pod, namespace: default, name: p}, type: Normal, reason: Pulled}");
  fails(again, "q", "g");
  CHECK(text(failing, again) == "Nothing changed.\n");
}

TEST_CASE("an event that is gone is no recovery") {
  Scene failing = placed();
  fails(failing, "p");
  const std::string told = text(failing, placed());
  CAPTURE(told);
  CHECK(told.starts_with("0 objects changed; no verdict changed; 1 verdict not known any more.\n"));
  CHECK(told.find("Event default/e: not kept any more, Failed") != std::string::npos);
  CHECK(told.find("events are kept for about an hour") != std::string::npos);
  CHECK(text(placed(), failing).find("events are kept") == std::string::npos);
  // A pod that runs needs nobody to say so.
  CHECK(text(failing, running()).find("events are kept") == std::string::npos);
}

TEST_CASE("pods with the same trouble are told together, wherever they are") {
  Scene failing = fleet(250);
  for (int i = 0; i < 250; ++i)
    fails(failing, base::format("p{}", i), base::format("e{}", i));
  const std::string told = text(fleet(250), failing);
  CAPTURE(told);
  CHECK(told.find("each like default/p0, which does not start: driver gpu.example.com is not "
                  "registered on node n0.") != std::string::npos);
  CHECK(told.find("about") == std::string::npos);  // each has an event of its own
}

TEST_CASE("what decided for the first of many is not reported about the others") {
  const std::string told = text(fleet(3), fleet(3, "Pending", false));
  CAPTURE(told);
  CHECK(told.find("3 Pods (default/p0, default/p1, default/p2)") != std::string::npos);
  CHECK(told.find("Pod default/p0; for each of the others another change") != std::string::npos);
  // One rule taints the devices of all.
  Scene tainted = fleet(3, "Running");
  tainted.taint_rule("t", "deviceSelector: {driver: gpu.example.com}", "key: k, effect: NoExecute");
  const std::string by_rule = text(fleet(3, "Running"), tainted);
  CAPTURE(by_rule);
  CHECK(by_rule.find("DeviceTaintRule t: added") != std::string::npos);
  CHECK(by_rule.find("\n3 Pods ") != std::string::npos);
  CHECK(by_rule.find("about") == std::string::npos);
}

TEST_CASE("a pod that is being deleted") {
  const Scene leaves = deleted_pod("{apiVersion: v1, kind: Namespace, metadata: {name: a}}");
  CHECK(text(running(), leaves).find("Pod default/p: its deletion has begun") != std::string::npos);
}

TEST_CASE("pods that waited alike are told apart by what became of them") {
  Scene before = one_device();
  Scene after = one_device();
  add_job_pods(before, after);
  fails(after, "q");
  const std::string told = text(before, after);
  CHECK(told.find("\n2 Pods (default/p, default/r)\n") != std::string::npos);
  CHECK(told.find("\nPod default/q\n") != std::string::npos);
  CHECK(text(after, before).find("\n2 Pods (default/p, default/r)\n") != std::string::npos);
}

}  // namespace
}  // namespace dra::report::diff_report_test
