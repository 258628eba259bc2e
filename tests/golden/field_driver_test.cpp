// tests/golden/field_driver_test.cpp: what drivers, kubelets and runtimes say about pods that have
// their node, with other drivers, names and numbers than users reported. What must be said of each
// is the key fact in the first line of its file.

#include <doctest/doctest.h>

#include "tests/golden/field_row.h"

namespace dra::field_driver_test {
namespace {

using golden::Row;

constexpr auto kFails = cmd::ExitCode::Found;
constexpr auto kRuns = cmd::ExitCode::Done;

const std::vector<Row> kSkipped = {
    {"own/channel-waits-for-daemon",
     "explain pod rank-1 -n hpc",
     kFails,
     {"ComputeDomain hpc/ring is not ready on nvl-b", "-bbbbb there is not ready",
      "Startup probe failed: fabric-ctl: port 50000 is in use exit status 1",
      "kubectl logs computedomain-daemon-"},
     {"report it", "main.go", "mistake of the driver"},
     {"holds claim rank-1-channel-z back"}},
    {"own/channel-waits-for-daemon", "explain pod rank-0 -n hpc", kRuns, {"Running"}, {}, {}},
    {"own/node-labelled-for-gone-domain",
     "explain pod rank-1 -n hpc",
     kFails,
     {"Node nvl-b is still labelled for ComputeDomain ", "which no longer exists",
      "kubectl label node nvl-b resource.nvidia.com/computeDomain-"},
     {"report it"},
     {"which no longer exists, so driver"}},
    {"own/driver-skips-a-claim",
     "explain pod dpu-0",
     kFails,
     {"Driver nic.acme.io has returned no result for claim dpu-0-nic-k",
      "kubectl logs acme-nic-x7k2p -n net"},
     {"report it", "mistake"},
     {"nic.acme.io has returned no result"}},
};

const std::vector<Row> kDrivers = {
    {"own/driver-trips-over-others-device",
     "explain pod both-0",
     kFails,
     {"Driver npu.acme.com probably takes device hugepages-0 of driver mem.acme.com",
      "unknown device hugepages-0", "split template npu-and-mem"},
     {"Driver mem.acme.com could not", "Taint device"},
     {"npu.acme.com probably takes"}},
    {"own/config-refused-on-each-node",
     "explain pod share-1 -n ml",
     kFails,
     {"refuses the configuration (SliceConfig, from template wfq)", "unknown strategy: Wfq",
      "Re-create template wfq", "every node refuses"},
     {"Fix the problem that the driver reports"},
     {"2 pods (ml/share-1, ml/share-2)", "on 2 nodes", "delete pods share-1, share-2"}},
    {"own/config-refused-on-each-node", "explain pod well -n ml", kRuns, {"Running"}, {}, {}},
    {"own/helper-of-claim-is-refused",
     "explain pod llm -n serve",
     kFails,
     {"Driver share.acme.com waits for a pod of its own, which is refused: violates PodSecurity",
      "kubectl describe replicaset share-daemon-"},
     {"Fix the problem that the driver reports"},
     {"violates PodSecurity"}},
    {"own/driver-may-not-get-claims",
     "explain pod sim-1 -n lab",
     kFails,
     {"Driver qpu.acme.com cannot read claims", "qpu-operator/qpu-dra is missing the permission",
      "A restart of the driver does not help", "--serviceaccount qpu-operator:qpu-dra"},
     {"get pods -A -o wide"},
     {"2 pods (lab/sim-1, lab/sim-2)", "on 2 nodes"}},
    {"own/driver-cannot-parse-its-file",
     "explain pod code-0 -n media",
     kFails,
     {"not registered on node v-1: its pod there crashes (21 restarts): failed parsing file",
      "kubectl logs vpu-plugin-c1c1c -n vpu-system -c plugin --previous"},
     {"state.go", "E1120"},
     {"prepared.json"}},
    {"own/kubelet-does-not-know-ready-driver",
     "explain pod code-1 -n media",
     kFails,
     {"Driver vpu.acme.com runs on node v-3, and the kubelet does not know it",
      "kubectl delete pod vpu-plugin-e1e1e -n vpu-system", "--root-dir"},
     {"does not come up"},
     {"2 pods (media/code-1, media/code-2)"}},
};

const std::vector<Row> kRuntimes = {
    {"own/hostnetwork-with-nic-claim",
     "explain pod relay-0 -n edge",
     kFails,
     {"It has hostNetwork: true", "cannot get interface nic1", "Remove hostNetwork: true"},
     {"The devices are not the cause", "tries again by itself"},
     {"hostNetwork: true"}},
    {"own/claim-named-by-two-containers",
     "explain pod poll -n edge",
     kFails,
     {"Container side cannot be created: container fast has claim poll-cores-k",
      "claim poll-cores-k is held by container fast of pod poll",
      "Remove claim cores from container side"},
     {"The devices are not the cause"},
     {"container fast has claim"}},
    {"own/cdi-gone-shared-claim",
     "explain pod cam-a -n vis",
     kFails,
     {"does not find what was prepared for it any more", "Delete pods cam-a, cam-b",
      "kubectl delete pod cam-a cam-b -n vis", "has been rebooted"},
     {"the kubelet does not know"},
     {"2 pods (vis/cam-a, vis/cam-b)"}},
    {"own/nic-not-attached-by-restarting-driver",
     "explain pod mpi-1 -n hpc",
     kFails,
     {"Driver rnic.acme.io has probably not attached claim mpi-1-rnic-k",
      "its pod rnic-plugin-a2a2a was restarting", "kubectl delete pod mpi-1 -n hpc"},
     {"The program itself fails"},
     {"has probably not attached"}},
    {"own/nic-not-attached-by-restarting-driver",
     "explain pod mpi-2 -n hpc",
     kRuns,
     {"Running"},
     {},
     {}},
    {"own/unhealthy-and-tainted",
     "explain pod rend-0 -n vis",
     kFails,
     {"Device gpu-0 is unhealthy: ECC", "kubectl delete pod rend-0 -n vis"},
     {"kind\":\"DeviceTaintRule", "first taint"},
     {"kubectl delete pod rend-0"}},
    {"own/driver-waits-in-init-container",
     "explain pod wait-0",
     kFails,
     {"waiting for its init container load-module",
      "kubectl logs wpu-plugin-f1f1f -n wpu-system -c load-module"},
     {"its events show why"},
     {"load-module"}},
};

const std::vector<Row> kResources = {
    {"own/kubelet-counts-removed-plugin",
     "explain pod rec-0 -n shop --assume-server v1.36",
     kFails,
     {"Node old-1 still lists acme.com/gpu: 0", "v1.35.3", "No device is missing",
      "Node didn't have enough resource", "/status/allocatable/acme.com~1gpu"},
     {"see what else runs there"},
     {"still lists acme.com/gpu: 0"}},
    {"own/kubelet-counts-removed-plugin",
     "explain deployment rec -n shop --assume-server v1.35",
     kRuns,
     {"its pod has a node", "extended resources that DRA serves"},
     {"use no claims"},
     {}},
    {"own/kubelet-knows-no-class-resource",
     "explain pod rec-0 -n shop --assume-server v1.36",
     kFails,
     {"The kubelet of node old-1 (v1.34.5)", "does not know that DRA serves", "v1.36 or newer"},
     {"see what else runs there"},
     {"v1.34.5"}},
    {"own/extended-resource-not-prepared",
     "explain pod rec-0 -n shop --assume-server v1.35",
     kFails,
     {"crashes again and again (6 restarts"},
     {"probably prepares no extended resources"},
     {}},
    {"own/extended-resource-not-prepared",
     "explain pod rec-0 -n shop --assume-server v1.36",
     kFails,
     {"The kubelet of node old-1 (v1.35.3) probably prepares no extended resources of DRA",
      "crashes again and again (6 restarts"},
     {"The program itself fails"},
     {"v1.35.3"}},
};

TEST_CASE("claims that a driver leaves out of its answer") {
  for (const Row& row : kSkipped)
    golden::check_row(row, {});
}

TEST_CASE("what drivers refuse, and drivers that are not registered") {
  for (const Row& row : kDrivers)
    golden::check_row(row, {});
}

TEST_CASE("what the runtime refuses, and devices that are lost") {
  for (const Row& row : kRuntimes)
    golden::check_row(row, {});
}

TEST_CASE("extended resources of DRA on older kubelets") {
  for (const Row& row : kResources)
    golden::check_row(row, {});
}

}  // namespace
}  // namespace dra::field_driver_test
