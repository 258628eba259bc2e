// tests/report/diff/diff_test.cpp: what differs between two states, and which change decided.

#include "dra/report/diff/diff.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "dra/report/diff/diff_report.h"
#include "tests/support/builders.h"
#include "tests/support/document_text.h"

namespace dra::report {
namespace {

using support::allocated;
using support::exactly;
using support::on_node;
using support::Scene;
using support::scene;

std::string held(const std::string& device, const std::string& more = "") {
  const std::string where = on_node("n1") + ", allocationTimestamp: \"2026-11-20T08:00:00Z\"";
  return allocated("{device: " + device + ", pool: n1}", where) + more;
}

Scene one_device() { return scene().node("n1").node("n2").slice("n1", {"a"}); }

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

std::string text(const Scene& before, const Scene& after) {
  const auto old = before.build();
  const auto now = after.build();
  return support::text_of(to_view(diff_of(old, now, {}), false));
}

const char* const kWants = "{name: c, resourceClaimName: c}";

Scene waiting() {
  Scene words = one_device();
  return words.claim("c", exactly("gpu", 1)).pod("p", kWants);
}

Scene running() {
  Scene words = one_device();
  const std::string reserved = ", reservedFor: [{resource: pods, name: p, uid: p}]";
  return words.claim("c", exactly("gpu", 1), held("a", reserved))
      .pod("p", kWants, "nodeName: n1", "phase: Running");
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
  CHECK(text(running(), gone).find("runs on node n1, but") != std::string::npos);
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
  // Whoever ran in the one state and is not there in the other never waited.
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

TEST_CASE("of several that wait for the same the same is said once") {
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

TEST_CASE("of what could not be read in both states nothing is said") {
  Scene taken = one_device();
  taken.claim("x", exactly("gpu", 1), held("a"));
  Scene blind = one_device();
  blind.cannot_read(api::Kind::Claim);
  CHECK(devices(taken, blind).empty());
  CHECK(text(taken, blind) == "Nothing changed, as far as both states could be read.\n");
  Scene no_slices = scene().node("n1").node("n2");
  no_slices.cannot_read(api::Kind::Slice);
  CHECK(devices(one_device(), no_slices).empty());
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
  CHECK(text(two, none).find(" n1: a,b gone, were allocated to default/x\n") != std::string::npos);
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

// A pod that has its device and waits for the kubelet.
Scene placed(const std::string& name = "p", const std::string& node = "n1") {
  Scene words = scene().node("n1").node("n2").slice("n1", {"a"}).slice("n2", {"a"});
  const std::string reserved =
      ", reservedFor: [{resource: pods, name: " + name + ", uid: " + name + "}]";
  return words
      .claim("c", exactly("gpu", 1),
             allocated("{device: a, pool: " + node + "}", on_node(node)) + reserved)
      .pod(name, kWants, "nodeName: " + node, "phase: Pending");
}

Scene& fails(Scene& words, const std::string& pod, const std::string& event = "e") {
  return words.yaml(
      "{apiVersion: v1, kind: Event, metadata: {name: " + event +
      ", namespace: default}, involvedObject: {kind: Pod, namespace: default, name: " + pod +
      ", uid: " + pod +
      "}, type: Warning, reason: FailedPrepareDynamicResources, lastTimestamp: "
      "\"2026-11-20T09:00:00Z\", message: \"Failed to prepare dynamic resources: prepare "
      "dynamic resources: DRA driver gpu.example.com is not registered\"}");
}

TEST_CASE("what only an event tells decides, and is told in its words") {
  Scene failing = placed();
  fails(failing, "p");
  CHECK(verdicts(placed(), failing) == "Pod p x1: Scheduled -> Scheduled by Event e\n");
  CHECK(text(placed(), failing)
            .find("Event default/e: added, FailedPrepareDynamicResources: Failed to prepare") !=
        std::string::npos);
  // It is no object that anybody changed.
  CHECK(text(placed(), failing).starts_with("0 objects changed; 1 verdict changed.\n"));
  // That it runs says more than that nobody complains any more.
  CHECK(verdicts(failing, running()).ends_with(" by Pod p\n"));
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

// As many pods as nodes, each with its device there, whether it is published any more or not.
Scene fleet(int nodes, const std::string& phase = "Pending", bool published = true) {
  Scene words = scene();
  for (int i = 0; i < nodes; ++i) {
    const std::string node = base::format("n{}", i);
    const std::string pod = base::format("p{}", i);
    const std::string reserved =
        base::format(", reservedFor: [{{resource: pods, name: {}, uid: {}}}]", pod, pod);
    if (published) words.slice(node, {"a"});
    words.node(node)
        .claim(pod, exactly("gpu", 1),
               allocated("{device: a, pool: " + node + "}",
                         on_node(node) + ", allocationTimestamp: \"2026-11-20T08:00:00Z\"") +
                   reserved)
        .pod(pod, "{name: c, resourceClaimName: " + pod + "}", "nodeName: " + node,
             "phase: " + phase);
  }
  return words;
}

TEST_CASE("pods with the same trouble are told together, wherever they are") {
  Scene failing = fleet(250);
  for (int i = 0; i < 250; ++i)
    fails(failing, base::format("p{}", i), base::format("e{}", i));
  CHECK(verdicts(fleet(250), failing) == "Pod p0 x250: Scheduled -> Scheduled by Event e0\n");
  const std::string told = text(fleet(250), failing);
  CAPTURE(told);
  CHECK(told.find("each like default/p0, which does not start: driver gpu.example.com is not "
                  "registered on node n0.") != std::string::npos);
  CHECK(told.find("told of") == std::string::npos);  // each has an event of its own
  CHECK(verdicts(failing, fleet(250)) == "Pod p0 x250: Scheduled -> Scheduled by Event e0\n");
}

TEST_CASE("what decided for the first of many is not said of the others") {
  const std::string told = text(fleet(3), fleet(3, "Pending", false));
  CAPTURE(told);
  CHECK(told.find("3 Pods (default/p0, default/p1, default/p2)") != std::string::npos);
  CHECK(told.find("told of Pod default/p0; for each of the others another change") !=
        std::string::npos);
  // One rule taints the devices of all.
  Scene tainted = fleet(3, "Running");
  tainted.taint_rule("t", "deviceSelector: {driver: gpu.example.com}", "key: k, effect: NoExecute");
  const std::string by_rule = text(fleet(3, "Running"), tainted);
  CAPTURE(by_rule);
  CHECK(by_rule.find("DeviceTaintRule t: added") != std::string::npos);
  CHECK(by_rule.find("\n3 Pods ") != std::string::npos);
  CHECK(by_rule.find("told of") == std::string::npos);
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
  const auto going = [](const char* more) {
    Scene words = one_device();
    return words
        .claim("c", exactly("gpu", 1),
               held("a", ", reservedFor: [{resource: pods, name: p, uid: p}]"))
        .yaml(
            "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: default, uid: p, "
            "deletionTimestamp: \"2026-11-20T09:00:00Z\"}, spec: {nodeName: n1, resourceClaims: "
            "[{name: c, resourceClaimName: c}]}, status: {phase: Running}}")
        .yaml(more);
  };
  const Scene leaves = going("{apiVersion: v1, kind: Namespace, metadata: {name: a}}");
  CHECK(text(running(), leaves).find("Pod default/p: its deletion has begun") != std::string::npos);
  CHECK(verdicts(running(), leaves).empty());
  // Because of a taint.
  const Scene evicted = going(
      "{apiVersion: resource.k8s.io/v1beta2, kind: DeviceTaintRule, metadata: {name: t}, spec: "
      "{deviceSelector: {driver: gpu.example.com}, taint: {key: k, effect: NoExecute}}}");
  CHECK(verdicts(running(), evicted) == "Pod p x1: Scheduled -> Scheduled by DeviceTaintRule t\n");
  // It had trouble, and goes: that it is over does not follow.
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
  const auto pod = [](const std::string& name, const std::string& more) {
    return "{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", uid: " + name +
           ", namespace: default, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j, "
           "uid: j, controller: true}]}, spec: {resourceClaims: [" +
           kWants + "]" + more;
  };
  const std::string reserved =
      ", reservedFor: [{resource: pods, name: p, uid: p}, {resource: pods, name: q, uid: q}, "
      "{resource: pods, name: r, uid: r}]";
  before.claim("c", exactly("gpu", 1));
  after.claim("c", exactly("gpu", 1), held("a", reserved));
  for (const char* name : {"p", "q", "r"}) {
    before.yaml(pod(name, "}, status: {phase: Pending}}"));
    after.yaml(pod(name, ", nodeName: n1}, status: {phase: Pending}}"));
  }
  CHECK(verdicts(before, after) == "Pod p x3: Fits -> Scheduled by Pod p\n");
  fails(after, "q");
  const std::string told = text(before, after);
  CHECK(told.find("\n2 Pods (default/p, default/r)\n") != std::string::npos);
  CHECK(told.find("\nPod default/q\n") != std::string::npos);
  CHECK(text(after, before).find("\n2 Pods (default/p, default/r)\n") != std::string::npos);
}

TEST_CASE("of several changes that would let it fit, the one whose device it got") {
  Scene none = scene().node("n1").node("n2").node("n3");
  none.claim("c", exactly("gpu", 1)).pod("p", kWants);
  Scene got = placed("p", "n2");
  got.node("n3").slice("n3", {"a"});
  CHECK(verdicts(none, got) == "Pod p x1: DoesNotFit -> Scheduled by ResourceSlice n2-slice\n");
}

}  // namespace
}  // namespace dra::report
