// tests/answers/diff/diff_test.cpp: the devices that differ, the verdicts that changed, and the
// changes that decided.

#include "dra/answers/diff/diff.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "tests/answers/diff/diff_scenes.h"

namespace dra::answers::diff_test {
namespace {

using support::add_job_pods;
using support::deleted_pod;
using support::exactly;
using support::fails;
using support::fleet;
using support::held;
using support::kWants;
using support::one_device;
using support::placed;
using support::running;
using support::Scene;
using support::scene;
using support::waiting;

// "Pod p: DoesNotFit -> Fits by ResourceClaim x", line by line.
std::string verdicts_of(const Diff& diff) {
  std::string text;
  for (const VerdictChange& verdict : diff.verdicts) {
    CHECK_FALSE(verdict.bounded);
    const auto word = [](const StateAnswer& answer) {
      return answer.exists ? std::string(name_of(answer.verdict)) : std::string("absent");
    };
    text += base::format("{} {} x{}: {} -> {} by", verdict.subjects.front().kind,
                         verdict.subjects.front().name, verdict.subjects.size(),
                         word(verdict.before), word(verdict.after));
    for (const ObjectChange& one : verdict.decisive)
      text += base::format(" {} {}", api::info_of(one.object.kind).name, one.object.name);
    text += "\n";
  }
  return text;
}

std::string verdicts(const Scene& before, const Scene& after, std::string_view ns = {}) {
  const auto old = before.build();
  const auto now = after.build();
  return verdicts_of(diff_of(old, now, ns));
}

// "a changedHands", line by line.
std::string devices(const Scene& before, const Scene& after) {
  const auto old = before.build();
  const auto now = after.build();
  std::string text;
  for (const DeviceChange& one : diff_of(old, now, {}).devices) {
    CHECK(one.before.has_value() == (one.fate != DeviceFate::Came));
    CHECK(one.after.has_value() == (one.fate != DeviceFate::Went));
    text += base::format("{} {}\n", one.id.device, name_of(one.fate));
  }
  return text;
}

TEST_CASE("what let a pod fit is why it was scheduled, not that it was") {
  Scene full = waiting();
  full.claim("x", exactly("gpu", 1), held("a"));
  Scene noise = running();
  noise.node("n3").device_class("other", "true");
  CHECK(verdicts(full, noise) == "Pod p x1: DoesNotFit -> Scheduled by ResourceClaim x\n");
  // It fitted before; nothing but the scheduler had to act.
  CHECK(verdicts(waiting(), running()) == "Pod p x1: Fits -> Scheduled by Pod p\n");
}

TEST_CASE("a claim of its own that was missing is why it was scheduled") {
  Scene missing = one_device();
  missing.pod("p", kWants);
  CHECK(verdicts(missing, running()) == "Pod p x1: Blocked -> Scheduled by ResourceClaim c\n");
}

TEST_CASE("a pod that has lost its device waits for others") {
  Scene lost = waiting();
  lost.claim("x", exactly("gpu", 1), held("a"));
  CHECK(verdicts(running(), lost) == "Pod p x1: Scheduled -> DoesNotFit by ResourceClaim x\n");
  Scene gone = scene().node("n1").node("n2");
  gone.claim("c", exactly("gpu", 1)).pod("p", kWants);
  CHECK(
      verdicts(running(), gone).starts_with("Pod p x1: Scheduled -> DoesNotFit by ResourceSlice"));
}

TEST_CASE("a pod that has its node and does not run as before") {
  Scene gone = scene().node("n1").node("n2");
  const std::string reserved = ", reservedFor: [{resource: pods, name: p, uid: p}]";
  gone.claim("c", exactly("gpu", 1), held("a", reserved))
      .pod("p", kWants, "nodeName: n1", "phase: Running");
  CHECK(verdicts(running(), gone).starts_with("Pod p x1: Scheduled -> Scheduled by ResourceSlice"));
  CHECK(verdicts(gone, running()).starts_with("Pod p x1: Scheduled -> Scheduled by ResourceSlice"));
  CHECK(verdicts(running(), gone, "elsewhere").empty());
  // Nothing is wrong with it in either.
  Scene more = running();
  more.node("n3");
  CHECK(verdicts(running(), more).empty());
}

TEST_CASE("pods that came and went") {
  // Without its claim it would be blocked.
  CHECK(verdicts(one_device(), waiting()) == "Pod p x1: absent -> Fits by Pod p\n");
  CHECK(verdicts(waiting(), one_device()) == "Pod p x1: Fits -> absent by Pod p\n");
  // A pod that ran in one state and is not there in the other never waited.
  CHECK(verdicts(one_device(), running()).empty());
}

TEST_CASE("a claim that no pod uses is a subject of its own") {
  Scene full = one_device();
  full.claim("c", exactly("gpu", 1)).claim("x", exactly("gpu", 1), held("a"));
  Scene free = one_device();
  free.claim("c", exactly("gpu", 1));
  CHECK(verdicts(full, free) == "ResourceClaim c x1: DoesNotFit -> Fits by ResourceClaim x\n");
  CHECK(verdicts(full, free, "elsewhere").empty());
}

TEST_CASE("pods that wait for the same are one verdict") {
  Scene full = one_device();
  Scene free = one_device();
  for (const char* name : {"p", "q", "r"}) {
    for (Scene* words : {&full, &free})
      words->claim(name, exactly("gpu", 1))
          .pod(name, base::format("{{name: c, resourceClaimName: {}}}", name));
  }
  full.claim("x", exactly("gpu", 1), held("a"));
  CHECK(verdicts(full, free) == "Pod p x3: DoesNotFit -> Fits by ResourceClaim x\n");
}

TEST_CASE("devices") {
  const Scene free = one_device();
  Scene taken = one_device();
  taken.claim("x", exactly("gpu", 1), held("a"));
  Scene other = one_device();
  other.claim("z", exactly("gpu", 1), held("a"));
  Scene more = scene().node("n1").node("n2").slice("n1", {"a", "b"});
  Scene tainted = one_device();
  tainted = scene().node("n1").node("n2").slice(
      {.name = "n1",
       .pool = "n1",
       .where = "nodeName: n1",
       .devices = "{name: a, taints: [{key: k, effect: NoSchedule}]}"});
  CHECK(devices(free, free).empty());
  CHECK(devices(free, taken) == "a changedHands\n");
  CHECK(devices(taken, other) == "a changedHands\n");
  CHECK(devices(free, more) == "b came\n");
  CHECK(devices(more, free) == "b went\n");
  CHECK(devices(free, tainted) == "a stateChanged\n");
}

TEST_CASE("what could not be read in both states is omitted") {
  Scene taken = one_device();
  taken.claim("x", exactly("gpu", 1), held("a"));
  Scene blind = one_device();
  blind.cannot_read(api::Kind::Claim);
  CHECK(devices(taken, blind).empty());
  Scene no_slices = scene().node("n1").node("n2");
  no_slices.cannot_read(api::Kind::Slice);
  CHECK(devices(one_device(), no_slices).empty());
}

TEST_CASE("an event decides where no object did") {
  Scene failing = placed();
  fails(failing, "p");
  CHECK(verdicts(placed(), failing) == "Pod p x1: Scheduled -> Scheduled by Event e\n");
  // That it runs says more than that nobody complains any more.
  CHECK(verdicts(failing, running()).ends_with(" by Pod p\n"));
}

TEST_CASE("pods with the same trouble are told together, wherever they are") {
  Scene failing = fleet(250);
  for (int i = 0; i < 250; ++i)
    fails(failing, base::format("p{}", i), base::format("e{}", i));
  CHECK(verdicts(fleet(250), failing) == "Pod p0 x250: Scheduled -> Scheduled by Event e0\n");
  CHECK(verdicts(failing, fleet(250)) == "Pod p0 x250: Scheduled -> Scheduled by Event e0\n");
}

TEST_CASE("pods with different troubles are told apart, whatever names their words have") {
  Scene failing = fleet(4);
  fails(failing, "p0", "e0");
  for (const char* pod : {"p1", "p2", "p3"}) {
    failing.yaml(base::format(
        "{{apiVersion: v1, kind: Event, metadata: {{name: of-{0}, namespace: default}}, "
        "involvedObject: {{kind: Pod, namespace: default, name: {0}, uid: {0}}}, type: Warning, "
        "reason: FailedPrepareDynamicResources, message: 'prepare dynamic resources: "
        "NodePrepareResources failed for ResourceClaim {0}: device a of {0} is {1}'}}",
        pod, pod == std::string_view("p2") ? "lost" : "busy"));
  }
  const std::string told = verdicts(fleet(4), failing);
  CHECK(told.find("Pod p0 x1") != std::string::npos);
  CHECK(told.find("Pod p1 x2") != std::string::npos);
  CHECK(told.find("Pod p2 x1") != std::string::npos);
}

TEST_CASE("a pod that is being deleted") {
  const Scene leaves = deleted_pod("{apiVersion: v1, kind: Namespace, metadata: {name: a}}");
  CHECK(verdicts(running(), leaves).empty());
  // Because of a taint.
  const Scene evicted = deleted_pod(
      "{apiVersion: resource.k8s.io/v1beta2, kind: DeviceTaintRule, metadata: {name: t}, spec: "
      "{deviceSelector: {driver: gpu.example.com}, taint: {key: k, effect: NoExecute}}}");
  CHECK(verdicts(running(), evicted) == "Pod p x1: Scheduled -> Scheduled by DeviceTaintRule t\n");
  // It had trouble, and is being deleted: it does not follow that the trouble is over.
  Scene tainted = running();
  tainted.taint_rule("t", "deviceSelector: {driver: gpu.example.com}", "key: k, effect: NoExecute");
  CHECK(verdicts(tainted, leaves).empty());
}

TEST_CASE("where events cannot be seen in both states, nothing follows from that there are none") {
  Scene failing = placed();
  fails(failing, "p");
  Scene blind = placed();
  blind.cannot_read(api::Kind::Event);
  CHECK(verdicts(failing, blind).empty());
  CHECK(verdicts(blind, failing).empty());
}

TEST_CASE("pods that waited alike are told apart by what became of them") {
  Scene before = one_device();
  Scene after = one_device();
  add_job_pods(before, after);
  CHECK(verdicts(before, after) == "Pod p x3: Fits -> Scheduled by Pod p\n");
}

TEST_CASE("of several changes that would let it fit, the one whose device it got") {
  Scene none = scene().node("n1").node("n2").node("n3");
  none.claim("c", exactly("gpu", 1)).pod("p", kWants);
  Scene got = placed("p", "n2");
  got.node("n3").slice("n3", {"a"});
  CHECK(verdicts(none, got) == "Pod p x1: DoesNotFit -> Scheduled by ResourceSlice n2-slice\n");
}

}  // namespace
}  // namespace dra::answers::diff_test
