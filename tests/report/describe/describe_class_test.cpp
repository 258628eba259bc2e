// tests/report/describe/describe_class_test.cpp

#include <doctest/doctest.h>

#include "dra/api/device_class.h"
#include "dra/base/text.h"
#include "tests/report/describe/describe_text.h"

namespace dra::report::describe_class_test {
namespace {

using support::exactly;
using support::Scene;
using support::scene;

std::string about_class(const Scene& words, std::string_view name) {
  return text_about<api::DeviceClass>(words, name, describe_class);
}

std::string a_class(std::string_view name, std::string_view spec, std::string_view created = "") {
  const std::string time =
      created.empty() ? "" : base::format(", creationTimestamp: '{}'", created);
  return base::format(
      "{{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {{name: {}{}}}, spec: "
      "{{{}}}}}",
      name, time, spec);
}

TEST_CASE("who uses a class, and what it selects") {
  check_all(
      {{"nobody", scene(), "gpu", "Class gpu: no claim and no template uses it."},
       {"a claim", scene().claim("c", exactly("gpu", 1)), "gpu", "used by 1 claim (pending)."},
       {"an alternative is a use too",
        scene().claim("c", support::first_available("r", {"deviceClassName: gpu"})), "gpu",
        "used by 1 claim (pending)."},
       {"some claims have devices",
        scene()
            .claim("a", exactly("gpu", 1))
            .claim("b", exactly("gpu", 1), support::allocated("{device: d, pool: n1}")),
        "gpu", "used by 2 claims (1 allocated, 1 pending)."},
       {"a claim that is being deleted is neither",
        scene()
            .claim("a", exactly("gpu", 1))
            .yaml("{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: b, "
                  "namespace: default, deletionTimestamp: '2026-11-20T09:00:00Z'}, spec: {devices: "
                  "{requests: [{name: r, exactly: {deviceClassName: gpu}}]}}}"),
        "gpu", "used by 2 claims (1 deleting, 1 pending)."},
       {"what takes nothing, or is not there, is said apart",
        scene()
            .slice("n1", {"d", "e"})
            .claim("a", exactly("gpu", 1), support::allocated("{device: d, pool: n1}"))
            .claim("b", exactly("gpu", 1),
                   support::allocated("{device: e, pool: n1, adminAccess: true}"))
            .claim("c", exactly("gpu", 1), support::allocated("{device: x, pool: n1}")),
        "gpu", "1 device through it, 1 device with admin access, 1 device not published any more"},
       {"another class's claims do not count", scene().claim("c", exactly("other", 1)), "gpu",
        "no claim"},
       {"claims cannot be read", scene().cannot_read(api::Kind::Claim), "gpu",
        "which claims use the class is not known", "no claim"},
       {"without selectors: every device, and how many are free",
        scene().slice("n1", {"a", "b"}).held("n1", "a"), "gpu", "all 2 of the cluster, 1 free"},
       {"nothing is called free when holders cannot be read",
        scene().slice("n1", {"a"}).cannot_read(api::Kind::Claim), "gpu", "all 1 of the cluster\n",
        "free"},
       {"what selectors match, each and together",
        scene()
            .slice("n1", {"a", "b", "c"})
            .held("n1", "a")
            .yaml(a_class(
                "s",
                "selectors: [{cel: {expression: 'device.driver != \"x\"'}}, {cel: {expression: "
                "'device.attributes.size() == 0 && device.driver == \"x\"'}}]")),
        "s", "devices with device.driver != \"x\"\n 3 of 3 devices\nand"},
       {"selectors that match nothing",
        scene().slice("n1", {"a"}).yaml(a_class("s", "selectors: [{cel: {expression: 'false'}}]")),
        "s", "The class matches no device, of 1 in the cluster."},
       {"one that fails is said first, with the device",
        scene()
            .slice("n1", {"a"})
            .yaml(a_class(
                "s",
                "selectors: [{cel: {expression: 'device.attributes[device.driver].x == 1'}}]")),
        "s",
        "The class: selector #0 fails for 1 device: no such key: x (gpu.example.com/n1/a).\n-> On "
        "such a device the scheduler ends its attempt for the whole pod",
        "matches no"},
       {"one that does not compile",
        scene().slice("n1", {"a"}).yaml(a_class("s", "selectors: [{cel: {expression: x}}]")), "s",
        "The class: selector #0 does not compile, so no pod gets a device: compilation failed: "
        "ERROR: <input>:1:1: undeclared reference to 'x' (in container '')",
        "in the cluster"},
       {"what they match is not known without slices",
        scene()
            .cannot_read(api::Kind::Slice)
            .yaml(a_class("s", "selectors: [{cel: {expression: 'true'}}]")),
        "s", "what the class selects is not known", " of "},
       {"configuration",
        scene().yaml(a_class("s",
                             "config: [{opaque: {driver: d.com, parameters: {apiVersion: v1, "
                             "kind: K, a: [1]}}}]")),
        "s", "to d.com K v1 {\"a\":[1]}"}},
      about_class);
}

TEST_CASE("of two classes with one extended resource the newer wins, then the lower name") {
  const std::string spec = "extendedResourceName: x.com/gpu";
  const std::string early = "2026-11-20T08:00:00Z";
  const std::string late = "2026-11-20T09:00:00Z";
  check_all(
      {{"the newer", scene().yaml(a_class("a", spec, early)).yaml(a_class("b", spec, late)), "a",
        "pods that ask for it get devices of b"},
       {"seen from the other",
        scene().yaml(a_class("a", spec, early)).yaml(a_class("b", spec, late)), "b",
        "Class a has the extended resource x.com/gpu too: pods that ask for it get devices "
        "of b"},
       {"the lower name", scene().yaml(a_class("a", spec, late)).yaml(a_class("b", spec, late)),
        "b", "get devices of a"},
       {"names of their own", scene().yaml(a_class("a", spec)), "a", "x.com/gpu", "too"},
       {"a release without extended resources", scene().yaml(a_class("a", spec)).server("v1.35.0"),
        "a", "x.com/gpu (without effect: DRAExtendedResource is off)"}},
      about_class);
}

}  // namespace
}  // namespace dra::report::describe_class_test
