// tests/golden/field_kinds_test.cpp: troubles by their kind, with drivers, names and numbers that
// no user reported. What must be said of each is the key fact in the first line of its file.
//
// The kinds, and where their scenes are: K here, O in field_own_test.cpp, A in
// field_advice_test.cpp.
//
//   1 one verdict for every pod that is not ready   O readiness-and-well, init-fails-and-oom,
//                                                     runc-hook-failed, topology-affinity-error
//   2 no device: look at the driver                 O driver-oomkilled-on-one-node, daemonset-*
//   3 workloads that made no pods                   O job-failed-backofflimit, webhook-unreachable,
//                                                     deployment-paused-zero, jobset-*, lws-*
//                                                   K pod-security-refuses-the-pods
//   4 the state of the holder                       O succeeded-pod-still-reserved,
//                                                     claim-on-deleted-node,
//                                                     rolling-update-deadlock
//                                                   A crashing-holder-before-new-node
//                                                   K holder-on-a-lost-node
//   5 stuck in their deletion                       O node-lost, terminating-container-not-killed,
//                                                     claim-deleted-and-reserved-for-a-ghost
//   6 pools as the allocator sees them              O pool-incomplete-2-of-3, generation-mixture,
//                                                     overdrawn-counters-block-whole-pool
//                                                   K newer-generation-incomplete
//   7 failures to prepare, compared                 K
//   8 who failed                                    O kubelet-133-asks-v1beta1, kubelet-1341-*,
//                                                     kubelet-checkpoint-disk-full
//                                                   K messages-of-133
//   9 evictions for devices' taints                 K
//  10 neighbours                                    K; O jobset-clusterqueue-stopped, karpenter-*,
//                                                     scale-up-*, quota-*, priority-class-missing
//  11 the same hardware twice                       K; O mig-and-parent-both-allocated,
//                                                     vfio-and-gpu-of-one-pci-address
//  12 limits of the scheduler                       K; O filter-timeout-fits,
//  coscheduling-minmember 13 names known by their values                   K; O pcieroot-other-name
//  14 the headline names what decided               K; O two-claims-on-two-nodes,
//                                                     all-with-one-unhealthy

#include <doctest/doctest.h>

#include "tests/golden/field_row.h"

namespace dra::field_kinds_test {
namespace {

using golden::Row;

constexpr auto kFails = cmd::ExitCode::Found;
constexpr auto kOpen = cmd::ExitCode::Undetermined;
constexpr auto kRuns = cmd::ExitCode::Done;

const std::vector<Row> kPrepare = {
    {"own/prepare-fails-on-one-npu-node",
     "explain pod enc-0 -n vid",
     kFails,
     {"prepares no claim on node kx-1", "on node kx-2", "fw.sock", "restart its pod"},
     {"hangs or is gone"},
     {"2 pods", "kx-1", "1 error; looked"}},
    {"own/one-fpga-never-prepares",
     "explain pod fir-2 -n dsp",
     kFails,
     {"device f-2", "bitstream checksum mismatch", "31 times", "cordon the node"},
     {"tries again"},
     {"f-2"}},
    {"own/two-pods-one-claim-refused",
     "explain pod tap-b -n net",
     kFails,
     {"uplink is shared with pod tap-a", "ResourceClaimTemplate", "device p1"},
     {},
     {"uplink"}},
};

const std::vector<Row> kEvictions = {
    {"own/evicted-when-the-time-is-over",
     "describe taintrule recall",
     kRuns,
     {"evicts 1 pod later; 1 pod tolerates it", "evicted in 5m"},
     {},
     {"recall", "lab/sim-0 in 5m"}},
    {"own/shortest-toleration-counts",
     "explain pod sim-0 -n lab",
     kRuns,
     {"ibis.tech/fan=slow:NoExecute", "taint rule fans", "(30s ago)"},
     {},
     {"Taint rule fans", "which is in use."}},
    {"own/taint-without-effect-evicts-no-pod",
     "describe taintrule watch",
     kRuns,
     {"only informs"},
     {"evicts 2 pods"},
     {"CountShort"}},
    {"own/toleration-of-the-pod-not-of-the-claim",
     "explain pod sim-0 -n lab",
     kRuns,
     {"ibis.tech/hot=1:NoExecute", "pods that have it are evicted"},
     {"tolerated"},
     {"evicts pod lab/sim-0 now"}},
};

const std::vector<Row> kNeighbours = {
    {"own/budget-protects-the-holder",
     "explain pod batch-0 -n rec",
     kFails,
     {"PodDisruptionBudget rec/ranker never allows the eviction of pod rec/ranker-0: it needs all "
      "2 "
      "of its pods to be healthy",
      "kubectl delete pod ranker-0"},
     {},
     {"rec/ranker-0"}},
    {"own/two-budgets-of-one-pod",
     "explain pod batch-0 -n rec",
     kFails,
     {"has 2 PodDisruptionBudgets (ranker, tier-gold)"},
     {},
     {"rec/ranker-0"}},
    {"own/drain-waits-for-a-budget",
     "explain pod reader-0 -n rec",
     kFails,
     {"kubectl uncordon rk-3",
      "PodDisruptionBudget rec/writer never allows the eviction of pod rec/writer-0"},
     {},
     {"Node rk-3 is cordoned", "rec/writer"}},
    {"own/domain-waits-for-a-third-node",
     "explain pod mpi-0 -n hpc",
     kFails,
     {"ComputeDomain hpc/ring has 2 of 3 nodes ready: node gb-3 has not joined",
      "kubectl describe computedomains.resource.nvidia.com ring -n hpc"},
     {},
     {"3 pods", "gb-3", "1 error; looked"}},
    {"own/domain-waits-for-a-pod-without-node",
     "explain pod trn-0 -n hpc",
     kFails,
     {"ComputeDomain hpc/pair has 1 of 2 nodes ready: pod hpc/trn-1 has no node yet"},
     {"its log shows why"},
     {"hpc/trn-1"}},
};

const std::vector<Row> kTwice = {
    {"own/plugin-and-dra-offer-the-same-card",
     "explain pod seg-1 -n rec",
     kFails,
     {"device or resource busy", "from the plugin (rec/old-0)", "switch the device plugin off"},
     {},
     {"HardwareOfferedTwice", "tw-1"}},
    {"own/plugin-offers-while-dra-waits",
     "explain pod seg-2 -n rec",
     kFails,
     {"in use by pod rec/h-0 and pod rec/h-1"},
     {},
     {"HardwareOfferedTwice", "plover.io/vpu", "2 are held from the plugin (rec/old-0)"}},
};

const std::vector<Row> kLimits = {
    {"own/priority-makes-no-room",
     "explain pod urgent-0 -n rec",
     kFails,
     {"Its priority (100000) does not make room", "kubectl delete pod slow-0"},
     {},
     {"rec/slow-0"}},
    {"own/scale-from-zero-other-cloud",
     "explain pod tune-0 -n rec -o wide",
     kFails,
     {"group=apu-spot does not match on any node", "foresees slices", "cluster-autoscaler says"},
     {},
     {"apu-spot"}},
    {"own/score-bug-of-135",
     "explain pod mix-0 -n rec --assume-server v1.35.4",
     kOpen,
     {"number of allocations 1 is smaller than number of claims 2", "v1.35.6", "12 attempts"},
     {"has not acted yet"},
     {"mix-0"}},
};

const std::vector<Row> kValues = {
    {"own/capacity-known-by-its-value",
     "explain pod fit-0 -n rec",
     kFails,
     {"Write hbm in place of vram"},
     {"Write lanes"},
     {"Write hbm"}},
    {"own/value-stands-in-another-attribute",
     "explain pod fit-0 -n rec",
     kFails,
     {"no such key: product", "device.attributes[\"apu.rook.ai\"].board == 'R2-80'"},
     {},
     {"product"}},
    {"own/attribute-value-in-other-case",
     "explain pod fit-0 -n rec",
     kFails,
     {"write 'R2' instead of 'r2'"},
     {},
     {"\"R2\""}},
    {"own/capacity-in-selector-by-value",
     "explain pod fit-0 -n rec",
     kFails,
     {"device.capacity[\"apu.rook.ai\"].hbm.compareTo(quantity('24Gi')) >= 0"},
     {},
     {"memory"}},
};

const std::vector<Row> kDecisive = {
    {"own/free-here-tainted-and-full-there",
     "explain pod mix-0 -n rec",
     kFails,
     {"Node rk-a has 2 free devices that match, but taint dedicated=ops:NoSchedule is not "
      "tolerated"},
     {},
     {"rk-a"}},
    {"own/one-claim-fits-the-other-cannot",
     "explain pod duo-0 -n rec",
     kFails,
     {"For request port no device has link 'up'"},
     {},
     {"link 'up'"}},
    {"own/driver-down-here-in-use-there",
     "explain pod q-0 -n rec",
     kFails,
     {"in use by pod rec/h-0",
      "node rk-e publishes none: the driver's pod there is CrashLoopBackOff", "Fix that pod",
      "kubectl logs dra-plugin-e574b -n sys"},
     {},
     {"rk-e", "CrashLoopBackOff"}},
};

const std::vector<Row> kOthers = {
    {"own/pod-security-refuses-the-pods",
     "explain deployment tts -n rec",
     kFails,
     {"allowPrivilegeEscalation", "Change the securityContext"},
     {"makes fits"},
     {"tts", "allowPrivilegeEscalation"}},
    {"own/holder-on-a-lost-node",
     "explain pod next-0 -n rec",
     kFails,
     {"in use by pod rec/far-0, which is deleted and does not go away", "explain pod far-0 -n rec"},
     {"Waiting may help"},
     {"Node wr-2 is not ready", "Pod rec/far-0 (Terminating 44m) cannot be ended there"}},
    {"own/newer-generation-incomplete",
     "explain pod w-0 -n rec",
     kFails,
     {"pool wr-4 of apu.wren.io has 1 of 2 slices of generation 7"},
     {"fits on node"},
     {"1 of 2 slices of generation 7", "look at the driver's log", "1 error, 1 hint; looked"}},
    {"own/messages-of-133",
     "explain pod a-0 -n rec --assume-server v1.34",
     kFails,
     {"apu.wren.io is not registered on node wr-6", "ImagePullBackOff", "kubectl describe pod"},
     {"its log says why", "kubectl logs"},
     {"apu.wren.io is not registered on node wr-6"}},
};

TEST_CASE("controllers, holders, pools, and words of an older kubelet") {
  for (const Row& row : kOthers)
    golden::check_row(row, {});
}

TEST_CASE("failures to prepare, compared") {
  for (const Row& row : kPrepare)
    golden::check_row(row, {});
}

TEST_CASE("evictions for taints of devices") {
  for (const Row& row : kEvictions)
    golden::check_row(row, {});
}

TEST_CASE("budgets and ComputeDomains") {
  for (const Row& row : kNeighbours)
    golden::check_row(row, {});
}

TEST_CASE("hardware that is offered twice") {
  for (const Row& row : kTwice)
    golden::check_row(row, {});
}

TEST_CASE("limits of the scheduler") {
  for (const Row& row : kLimits)
    golden::check_row(row, {});
}

TEST_CASE("names that are known by their values") {
  for (const Row& row : kValues)
    golden::check_row(row, {});
}

TEST_CASE("headlines that name what decided") {
  for (const Row& row : kDecisive)
    golden::check_row(row, {});
}

}  // namespace
}  // namespace dra::field_kinds_test
