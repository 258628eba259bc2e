// tests/engine/scheduler/volumes/volume_filter_test.cpp: what filters for volumes have against
// nodes, as NodeFilters tells it.

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "dra/engine/scheduler/node_filters.h"
#include "tests/support/builders.h"
#include "tests/support/node_filters.h"

namespace dra::engine::volume_filter_test {
namespace {

using support::Scene;
using support::scene;

std::string storage_class(std::string_view name, std::string_view provisioner,
                          std::string_view mode, std::string_view more = "") {
  return base::format(
      "{{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {{name: {}}}, provisioner: "
      "{}, volumeBindingMode: {}{}}}",
      name, provisioner, mode, more);
}

// Node a in zone a and node b in zone b, of both of which driver disk.x attaches two volumes.
Scene cluster() {
  Scene built = scene();
  for (const char* name : {"a", "b"}) {
    built.yaml(base::format(
        "{{apiVersion: v1, kind: Node, metadata: {{name: {}, labels: {{kubernetes.io/hostname: {}, "
        "topology.kubernetes.io/zone: {}}}}}, status: {{allocatable: {{pods: 99}}}}}}",
        name, name, name));
    built.yaml(
        base::format("{{apiVersion: storage.k8s.io/v1, kind: CSINode, metadata: {{name: "
                     "{}}}, spec: {{drivers: [{{name: disk.x, nodeID: {}, allocatable: "
                     "{{count: 2}}}}]}}}}",
                     name, name));
  }
  built.yaml(storage_class("wait", "disk.x", "WaitForFirstConsumer"));
  built.yaml(storage_class("now", "disk.x", "Immediate"));
  return built.yaml(storage_class("local", "kubernetes.io/no-provisioner", "WaitForFirstConsumer"));
}

std::string claim(std::string_view name, std::string_view spec, std::string_view meta = "",
                  std::string_view status = "phase: Pending") {
  return base::format(
      "{{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {{name: {}, "
      "namespace: default, uid: uid-{}{}}}, spec: {{{}}}, status: {{{}}}}}",
      name, name, meta, spec, status);
}

// Bound to the volume of the same name with "v-" before it.
std::string bound(std::string_view name, std::string_view more = "") {
  return claim(name, base::format("volumeName: v-{}, storageClassName: wait{}", name, more),
               ", annotations: {pv.kubernetes.io/bind-completed: 'yes'}", "phase: Bound");
}

std::string volume(std::string_view name, std::string_view spec, std::string_view labels = "") {
  return base::format(
      "{{apiVersion: v1, kind: PersistentVolume, metadata: {{name: {}, labels: "
      "{{{}}}}}, spec: {{{}}}, status: {{phase: Available}}}}",
      name, labels, spec);
}

constexpr std::string_view kInZoneA =
    "nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: "
    "topology.kubernetes.io/zone, operator: In, values: [a]}]}]}}";

std::string csi(std::string_view handle) {
  return base::format("csi: {{driver: disk.x, volumeHandle: {}}}", handle);
}

Scene& with_pod(Scene& built, std::string_view volumes) {
  return built.yaml(
      base::format("{{apiVersion: v1, kind: Pod, metadata: {{name: p, namespace: "
                   "default, uid: uid-p}}, spec: {{volumes: [{}]}}}}",
                   volumes));
}

constexpr std::string_view kOfC = "{name: data, persistentVolumeClaim: {claimName: c}}";

// "a: VolumeElsewhere ..." for each reason, then "open: ..." for what is not known.
std::string against(const Scene& built) {
  return support::against_all(built, [](const diag::Reason& reason) {
    return base::format("{} {}", diag::name_of(reason.code), reason.message);
  });
}

std::string on_both(std::string_view reason) {
  return base::format("a: {}\nb: {}", reason, reason);
}

TEST_CASE("claims that keep the pod from all nodes") {
  struct Case {
    const char* name;
    std::string claim;
    std::string want;
  };
  const Case cases[] = {
      {"none", storage_class("other", "x", "Immediate"),
       "VolumeClaimMissing PersistentVolumeClaim c does not exist in namespace default"},
      {"one that goes",
       claim("c", "storageClassName: wait", ", deletionTimestamp: '2026-11-20T08:00:00Z'"),
       "VolumeClaimMissing PersistentVolumeClaim c is being deleted"},
      {"a lost one", claim("c", "volumeName: v", "", "phase: Lost"),
       "VolumeLost PersistentVolumeClaim c is bound to PersistentVolume v, which does not exist"},
      {"one whose volume is gone", bound("c"),
       "VolumeLost PersistentVolumeClaim c is bound to PersistentVolume v-c, which does not exist"},
      {"without a class", claim("c", ""),
       "VolumeClaimUnbound PersistentVolumeClaim c is not bound: it has no StorageClass, and no "
       "PersistentVolume without one was bound to it"},
      {"a class that is not there", claim("c", "storageClassName: fast"),
       "VolumeClaimUnbound PersistentVolumeClaim c is not bound: StorageClass fast does not exist"},
      {"a class that binds at once", claim("c", "storageClassName: now"),
       "VolumeClaimUnbound PersistentVolumeClaim c is not bound: StorageClass now binds at once "
       "(volumeBindingMode Immediate), and disk.x has not made a volume"},
      {"a volume that it names", claim("c", "storageClassName: wait, volumeName: v"),
       "VolumeClaimUnbound PersistentVolumeClaim c is not bound: it names PersistentVolume v, "
       "which "
       "is not bound to it yet"},
  };
  for (const Case& row : cases) {
    CAPTURE(row.name);
    Scene built = cluster();
    built.yaml(row.claim);
    CHECK(against(with_pod(built, kOfC)) == on_both(row.want));
  }
}

TEST_CASE("ephemeral volumes have claims of their own") {
  constexpr std::string_view scratch =
      "{name: s, ephemeral: {volumeClaimTemplate: {spec: {storageClassName: local, resources: "
      "{requests: {storage: 1Gi}}}}}}";
  Scene missing = cluster();
  CHECK(against(with_pod(missing, scratch)) ==
        on_both("VolumeClaimMissing PersistentVolumeClaim p-s of the ephemeral volume s has not "
                "been created yet"));
  Scene foreign = cluster();
  foreign.yaml(claim("p-s", "storageClassName: wait"));
  CHECK(against(with_pod(foreign, scratch)) ==
        on_both("VolumeClaimMissing PersistentVolumeClaim p-s exists, but it was not created for "
                "the pod's ephemeral volume s"));
  Scene planned = cluster();
  planned.yaml(
      base::format("{{apiVersion: v1, kind: Pod, metadata: {{name: p, namespace: default, "
                   "uid: planned/default/p}}, spec: {{volumes: [{}]}}}}",
                   scratch));
  CHECK(against(planned) ==
        on_both("VolumeUnavailable no PersistentVolume for PersistentVolumeClaim p-s (1Gi): there "
                "is no PersistentVolume of StorageClass local"));
}

TEST_CASE("bound volumes are for nodes or zones") {
  Scene in_zone = cluster();
  in_zone.yaml(bound("c")).yaml(volume("v-c", base::format("{}, {}", csi("h"), kInZoneA)));
  CHECK(against(with_pod(in_zone, kOfC)) ==
        "b: VolumeElsewhere the data of PersistentVolumeClaim c (PersistentVolume v-c) is in zone "
        "a; the node is in zone b");
  Scene labelled = cluster();
  labelled.yaml(bound("c"))
      .yaml(volume("v-c", csi("h"), "failure-domain.beta.kubernetes.io/zone: a__c"));
  CHECK(against(with_pod(labelled, kOfC)) ==
        "b: VolumeElsewhere the data of PersistentVolumeClaim c (PersistentVolume v-c) is in zone "
        "a and c; the node is in zone b");
  Scene local = cluster();
  local.yaml(bound("c"))
      .yaml(volume("v-c",
                   "nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: "
                   "kubernetes.io/hostname, operator: In, values: [a]}]}]}}"));
  CHECK(against(with_pod(local, kOfC)) ==
        "b: VolumeElsewhere the data of PersistentVolumeClaim c (PersistentVolume v-c) is on node "
        "a");
}

TEST_CASE("claims that wait take the smallest volume that matches") {
  Scene built = cluster();
  built.yaml(claim("c",
                   "storageClassName: local, resources: {requests: {storage: 5Gi}}, "
                   "accessModes: [ReadWriteOnce]"));
  built.yaml(volume("small",
                    "storageClassName: local, capacity: {storage: 1Gi}, accessModes: "
                    "[ReadWriteOnce]"));
  built.yaml(volume("block",
                    "storageClassName: local, capacity: {storage: 9Gi}, accessModes: "
                    "[ReadWriteOnce], volumeMode: Block"));
  built.yaml(volume("taken",
                    "storageClassName: local, capacity: {storage: 9Gi}, accessModes: "
                    "[ReadWriteOnce], claimRef: {namespace: ml, name: c}"));
  built.yaml(volume("there", base::format("storageClassName: local, capacity: {{storage: 9Gi}}, "
                                          "accessModes: [ReadWriteOnce], {}",
                                          kInZoneA)));
  CHECK(against(with_pod(built, kOfC)) ==
        "b: VolumeUnavailable no PersistentVolume for PersistentVolumeClaim c (5Gi): of 4 "
        "PersistentVolumes of StorageClass local none matches (1 not available, 1 too small, 1 of "
        "another kind, 1 on other nodes)");
  built.yaml(claim("d",
                   "storageClassName: local, resources: {requests: {storage: 2Gi}}, "
                   "accessModes: [ReadWriteOnce]"));
  Scene two = built;
  CHECK(against(two.yaml(
            "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: default, uid: uid-p}, "
            "spec: {volumes: [{name: data, persistentVolumeClaim: {claimName: c}}, {name: more, "
            "persistentVolumeClaim: {claimName: d}}]}}")) ==
        "a: VolumeUnavailable no PersistentVolume for PersistentVolumeClaim c (5Gi): of 4 "
        "PersistentVolumes of StorageClass local none matches (2 not available, 1 too small, 1 of "
        "another kind)\n"
        "b: VolumeUnavailable no PersistentVolume for PersistentVolumeClaim d (2Gi): of 4 "
        "PersistentVolumes of StorageClass local none matches (1 not available, 1 too small, 1 of "
        "another kind, 1 on other nodes)");
}

TEST_CASE("provisioners make volumes where they can") {
  Scene chosen = cluster();
  chosen.yaml(claim("c", "storageClassName: wait",
                    ", annotations: {volume.kubernetes.io/selected-node: a}"));
  CHECK(against(with_pod(chosen, kOfC)) ==
        "b: VolumeUnavailable the volume of PersistentVolumeClaim c is being made for node a");
  Scene zonal = cluster();
  zonal.yaml(storage_class("zonal", "disk.x", "WaitForFirstConsumer",
                           ", allowedTopologies: [{matchLabelExpressions: [{key: "
                           "topology.kubernetes.io/zone, values: [b, c]}]}]"));
  zonal.yaml(claim("c", "storageClassName: zonal"));
  CHECK(against(with_pod(zonal, kOfC)) ==
        "a: VolumeUnavailable StorageClass zonal of PersistentVolumeClaim c makes volumes only for "
        "nodes with topology.kubernetes.io/zone in (b,c)");
  Scene full = cluster();
  full.yaml(claim("c", "storageClassName: wait, resources: {requests: {storage: 10Gi}}"));
  full.yaml(
      "{apiVersion: storage.k8s.io/v1, kind: CSIDriver, metadata: {name: disk.x}, spec: "
      "{storageCapacity: true}}");
  full.yaml(
      "{apiVersion: storage.k8s.io/v1, kind: CSIStorageCapacity, metadata: {name: a, "
      "namespace: kube-system}, storageClassName: wait, capacity: 9Gi, nodeTopology: "
      "{matchLabels: {topology.kubernetes.io/zone: a}}}");
  CHECK(against(with_pod(full, kOfC)) ==
        "a: VolumeCapacity PersistentVolumeClaim c needs 10Gi of StorageClass wait, and its driver "
        "disk.x has at most 9Gi for the node\n"
        "b: VolumeCapacity PersistentVolumeClaim c needs 10Gi of StorageClass wait, and its driver "
        "disk.x has none for the node");
}

Scene& with_user(Scene& built, std::string_view name, std::string_view node,
                 std::string_view volumes) {
  return built.yaml(
      base::format("{{apiVersion: v1, kind: Pod, metadata: {{name: {}, namespace: "
                   "default, uid: uid-{}}}, spec: {{nodeName: {}, volumes: [{}]}}}}",
                   name, name, node, volumes));
}

TEST_CASE("other pods use volumes") {
  Scene alone = cluster();
  alone.yaml(bound("c", ", accessModes: [ReadWriteOncePod]")).yaml(volume("v-c", csi("h")));
  CHECK(against(with_pod(with_user(alone, "user", "b", kOfC), kOfC)) ==
        on_both("VolumeInUse PersistentVolumeClaim c is for one pod at a time (ReadWriteOncePod), "
                "and pod default/user on node b uses it"));
  Scene disk = cluster();
  constexpr std::string_view of_disk = "{name: d, gcePersistentDisk: {pdName: d1}}";
  CHECK(against(with_pod(with_user(disk, "user", "b", of_disk), of_disk)) ==
        "b: DiskInUse pod default/user on the node uses GCE disk d1");
}

TEST_CASE("a node takes so many volumes") {
  Scene built = cluster();
  for (const char* name : {"c", "one", "two"})
    built.yaml(bound(name)).yaml(volume(base::format("v-{}", name), csi(name)));
  with_user(built, "first", "a", "{name: d, persistentVolumeClaim: {claimName: one}}");
  built.yaml(
      "{apiVersion: storage.k8s.io/v1, kind: VolumeAttachment, metadata: {name: x}, spec: "
      "{attacher: disk.x, nodeName: a, source: {persistentVolumeName: v-two}}}");
  CHECK(against(with_pod(built, kOfC)) ==
        "a: VolumeLimit the node takes 2 volumes of CSI driver disk.x, 2 are attached or promised, "
        "and the pod needs 1 more");
  Scene same = cluster();
  same.yaml(bound("c")).yaml(volume("v-c", csi("h")));
  with_user(same, "first", "a", kOfC);
  CHECK(against(with_pod(same, kOfC)) == "");
}

TEST_CASE("a CSI driver may have to be on the node") {
  Scene built = cluster();
  built.yaml(storage_class("other", "disk.y", "WaitForFirstConsumer"));
  built.yaml(claim("c", "storageClassName: other"));
  built.yaml(
      "{apiVersion: storage.k8s.io/v1, kind: CSIDriver, metadata: {name: disk.y}, spec: "
      "{preventPodSchedulingIfMissing: true}}");
  with_pod(built, kOfC);
  CHECK(against(built) ==
        on_both("VolumeDriverMissing CSI driver disk.y is not installed on the node"));
  CHECK(against(Scene(built).server("v1.36.0")) == "");
}

TEST_CASE("what cannot be read is open") {
  Scene built = cluster();
  built.yaml(bound("c")).yaml(volume("v-c", base::format("{}, {}", csi("h"), kInZoneA)));
  with_pod(built, kOfC);
  CHECK(against(Scene(built).cannot_read(api::Kind::PersistentVolume)) ==
        "open: volumes (persistentvolumes cannot be read)");
  CHECK(against(Scene(built).cannot_read(api::Kind::VolumeAttachment)) ==
        "b: VolumeElsewhere the data of PersistentVolumeClaim c (PersistentVolume v-c) is in zone "
        "a; the node is in zone b\n"
        "open: volumes (volumeattachments cannot be read)");
}

TEST_CASE("volumes from before CSI are open where nodes translate them") {
  Scene built = cluster();
  built.yaml(bound("c")).yaml(volume("v-c", "gcePersistentDisk: {pdName: d}"));
  with_pod(built, kOfC);
  CHECK(against(built) == "");
  built.yaml(
      "{apiVersion: storage.k8s.io/v1, kind: CSINode, metadata: {name: c, annotations: "
      "{storage.alpha.kubernetes.io/migrated-plugins: 'kubernetes.io/gce-pd'}}}");
  CHECK(against(built) == "open: volumes that were made before CSI");
}

}  // namespace
}  // namespace dra::engine::volume_filter_test
