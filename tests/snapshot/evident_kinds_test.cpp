// tests/snapshot/evident_kinds_test.cpp: what dumps with namespaces show to be in the cluster
// though they do not hold it, and what may well not be there.

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "dra/base/text.h"
#include "dra/snapshot/builder.h"

namespace dra::snapshot::evident_kinds_test {
namespace {

constexpr std::string_view kNamespace = "{apiVersion: v1, kind: Namespace, metadata: {name: x}}";
constexpr std::string_view kNode = "{apiVersion: v1, kind: Node, metadata: {name: n1}}";
constexpr std::string_view kClass =
    "{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: c}}";
constexpr std::string_view kSlice =
    "{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: s}, spec: {driver: "
    "d.com, nodeName: n1, pool: {name: n1}, devices: [{name: a}]}}";
constexpr std::string_view kAllocated =
    "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: k}, status: "
    "{allocation: {devices: {results: [{request: r, driver: d.com, pool: n1, device: a}]}}, "
    "reservedFor: [{resource: pods, name: p}]}}";
constexpr std::string_view kRunning =
    "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {nodeName: n1, resourceClaims: [{name: "
    "g, resourceClaimName: k}]}, status: {phase: Running, containerStatuses: [{ready: true}]}}";
constexpr std::string_view kFree =
    "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: k}}";
constexpr std::string_view kNoClaim =
    "{apiVersion: v1, kind: Pod, metadata: {name: q}, spec: {resourceClaims: [{name: g, "
    "resourceClaimName: k}]}, status: {conditions: [{type: PodScheduled, status: 'False', message: "
    "resourceclaim \"k\" not found}]}}";
constexpr std::string_view kWaits =
    "{apiVersion: v1, kind: Pod, metadata: {name: q}, spec: {resourceClaims: [{name: g, "
    "resourceClaimName: k}]}, status: {conditions: [{type: PodScheduled, status: 'False', message: "
    "'0/1 nodes are available: 1 cannot allocate all claims.'}]}}";
constexpr std::string_view kDriver =
    "{apiVersion: v1, kind: Pod, metadata: {name: driver, ownerReferences: [{kind: DaemonSet, "
    "name: "
    "d, controller: true}]}, spec: {nodeName: n1}, status: {conditions: [{type: Ready, status: "
    "'READY'}]}}";
constexpr std::string_view kEmptyList =
    "{apiVersion: resource.k8s.io/v1, kind: ResourceSliceList, items: []}";

std::string driver(std::string_view ready) {
  std::string text(kDriver);
  text.replace(text.find("READY"), 5, ready);
  return text;
}

// The kinds that are gaps in a dump of these documents.
std::string gaps_of(const std::vector<std::string>& documents) {
  Builder builder;
  REQUIRE(builder.add_text("---\n" + base::join(documents, "\n---\n"), "dump").ok());
  builder.note_kinds_not_in_files();
  auto built = std::move(builder).build();
  REQUIRE(built.ok());
  std::vector<std::string> kinds;
  for (const Missing& missing : built.value().coverage().missing())
    kinds.emplace_back(api::info_of(missing.kind).name);
  return base::join(kinds, " ");
}

std::string gaps_of(std::initializer_list<std::string_view> documents) {
  return gaps_of(std::vector<std::string>(documents.begin(), documents.end()));
}

TEST_CASE("a dump of devices in use without one of the kinds") {
  CHECK(gaps_of({kNamespace, kNode, kClass, kSlice, kAllocated, kRunning}).empty());
  CHECK(gaps_of({kNamespace, kClass, kSlice, kAllocated, kRunning}) == "Node");
  CHECK(gaps_of({kNamespace, kNode, kSlice, kAllocated, kRunning}) == "DeviceClass");
  CHECK(gaps_of({kNamespace, kNode, kClass, kAllocated, kRunning}) == "ResourceSlice");
  CHECK(gaps_of({kNamespace, kNode, kClass, kSlice, kRunning}) == "ResourceClaim");
  CHECK(gaps_of({kNamespace, kNode, kClass, kSlice, kAllocated}) == "Pod");
}

TEST_CASE("a dump with a pod that waits for devices") {
  CHECK(gaps_of({kNamespace, kNode, kClass, kFree, kWaits}).empty());  // no driver is ready yet
  CHECK(gaps_of({kNamespace, kNode, kClass, kSlice, kWaits}) == "ResourceClaim");
  CHECK(gaps_of({kNamespace, kNode, kSlice, kFree, kWaits}) == "DeviceClass");
  // The claim does not exist.
  CHECK(gaps_of({kNamespace, kNode, kClass, kSlice, kNoClaim}).empty());
}

TEST_CASE("slices of a driver that is down or gone are not in the cluster") {
  CHECK(gaps_of({std::string(kNamespace), std::string(kNode), std::string(kClass),
                 std::string(kAllocated), std::string(kRunning), driver("False")})
            .empty());
  CHECK(gaps_of({std::string(kNamespace), std::string(kNode), std::string(kClass),
                 std::string(kAllocated), std::string(kRunning), driver("True")}) ==
        "ResourceSlice");
  CHECK(gaps_of({kNamespace, kNode, kAllocated, kRunning}).empty());
  CHECK(gaps_of({kNamespace, kNode, kClass, kAllocated, kRunning, kEmptyList}).empty());
}

TEST_CASE("a dump without any object of the DRA API says nothing about these") {
  CHECK(gaps_of({kNamespace, kNode, kNoClaim}) == "ResourceClaim DeviceClass ResourceSlice");
  CHECK(gaps_of({kNamespace, kNode}) == "ResourceClaim DeviceClass ResourceSlice");
}

TEST_CASE("an empty list of a kind says that there is none") {
  CHECK(gaps_of({kNode}) == "ResourceClaim DeviceClass Pod ResourceSlice");
  CHECK(gaps_of({kNode, kEmptyList}) == "ResourceClaim DeviceClass Pod");
}

}  // namespace
}  // namespace dra::snapshot::evident_kinds_test
