// tests/golden/field_release_test.cpp: pods that do not go, and devices that are not released, with
// other drivers, names and numbers than users reported. The key fact of each is in the first line
// of its file.

#include <doctest/doctest.h>

#include "tests/golden/field_row.h"

namespace dra::field_release_test {
namespace {

using golden::Row;

constexpr auto kFails = cmd::ExitCode::Found;
constexpr auto kRuns = cmd::ExitCode::Done;

const std::vector<Row> kLostNames = {
    {"own/ended-pod-lost-claim-name",
     "explain pod grab-1 -n lab",
     kFails,
     {"Pod lab/grab-1: Terminating 29m on vis-b. Its status has lost the name of claim "
      "grab-1-cam-q7k2z (status.resourceClaimStatuses), so the kubelet cannot take its devices "
      "back.",
      "kubectl patch pod grab-1 -n lab --subresource=status --type=merge -p "
      "'{\"status\":{\"resourceClaimStatuses\":[{\"name\":\"nic\",\"resourceClaimName\":\"grab-1-"
      "nic-b2c3d\"},{\"name\":\"cam\",\"resourceClaimName\":\"grab-1-cam-q7k2z\"}]}}'",
      "overwrites the status"},
     {"not created", "grab-0"},
     {"error PodNotGone: Pod lab/grab-1", "grab-1-cam-q7k2z"}},
    {"own/ended-pod-lost-claim-name",
     "describe pod grab-1 -n lab",
     kRuns,
     {"grab-1-cam-q7k2z"},
     {"not created"},
     {}},
    {"own/ended-pod-lost-claim-name",
     "explain pod grab-0 -n lab",
     kRuns,
     {"Running"},
     {"lost the name"},
     {}},
    {"own/starting-pod-lost-claim-name",
     "explain pod grab-2 -n lab",
     kFails,
     {"Its status has lost the name of claim grab-2-cam-h4j5k", "writes the name back"},
     {"not created from", "kubectl delete pod", "made from template one-cam, and"},
     {"lost the name of claim grab-2-cam-h4j5k"}},
};

const std::vector<Row> kDrivers = {
    {"own/driver-removed-before-its-pods",
     "explain pod fpga-run-0 -n syn",
     kFails,
     {"Terminating 29m on fp-1. Driver fpga.syn.dev is not on fp-1 any more, so the kubelet cannot "
      "give its devices back.",
      "Install driver fpga.syn.dev again, at least on fp-1",
      "kubectl delete pod fpga-run-0 -n syn --force --grace-period=0"},
     {"logs of the kubelet"},
     {"PodNotGone", "Driver fpga.syn.dev is not on fp-1", "1 error; looked at"}},
    {"own/driver-and-pod-wait-for-each-other",
     "explain pod fpga-run-1 -n syn",
     kFails,
     {"Terminating 29m on fp-1. Driver fpga.syn.dev does not work on fp-1, so the kubelet cannot "
      "give its devices back: its pod there is waiting for its init container wait-kernel.",
      "syn/syn-dra-", "waiting for its init container wait-kernel",
      "kubectl delete pod fpga-run-1 -n syn --force --grace-period=0"},
     {},
     {"Pod syn/fpga-run-1"}},
};

const std::vector<Row> kUnreleased = {
    {"own/deleted-claims-never-released",
     "explain pod want-0 -n quant",
     kFails,
     {"Pending 25m. 3 of 4 devices are held by claims whose pods do not exist any more "
      "(quant/batch-0-q-zzzz0, quant/batch-1-q-zzzz1, quant/batch-2-q-zzzz2), deleted at least 60m "
      "ago and never released",
      "kubectl get lease kube-controller-manager",
      "kubectl patch resourceclaim batch-0-q-zzzz0 -n quant --subresource=status --type=merge -p "
      "'{\"status\":{\"allocation\":null,\"reservedFor\":null}}'"},
     {"Waiting may help", "(has ended)"},
     {"3 of 4 devices are held by claims whose pods do not exist", "1 error; looked at"}},
    {"own/deleted-claims-never-released",
     "describe claim batch-1-q-zzzz1 -n quant",
     kRuns,
     {"Reserved for pod batch-1, which is gone"},
     {"no longer in use"},
     {}},
    {"own/completed-job-pod-still-reserved",
     "explain pod want-0 -n quant",
     kFails,
     {"Pending 25m. 1 of 2 devices is held by claim quant/anneal-x2x2x-q-bbbbb, whose pod "
      "anneal-x2x2x has ended 40m ago and which was never released",
      "kubectl patch resourceclaim anneal-x2x2x-q-bbbbb -n quant"},
     {"suspend", "ends pod quant/anneal", "free the devices of"},
     {"whose pod anneal-x2x2x has ended", "1 error; looked at"}},
};

const std::vector<Row> kRollouts = {
    {"own/rollout-waits-for-its-old-pods",
     "explain pod solver-9f9f9-new01 -n quant",
     kFails,
     {"Pending 25m. All 3 devices are in use by old pods of its own Deployment solver.",
      "kubectl patch deployment solver -n quant"},
     {"Waiting may help", "which ends pod", "free the devices of"},
     {"by old pods of its own Deployment solver"}},
};

TEST_CASE("devices that are in use only because nothing has released them") {
  for (const Row& row : kUnreleased)
    golden::check_row(row, {});
}

TEST_CASE("devices that the old pods of a rollout hold") {
  for (const Row& row : kRollouts)
    golden::check_row(row, {});
}

TEST_CASE("pods in deletion whose status has lost a claim") {
  for (const Row& row : kLostNames)
    golden::check_row(row, {});
}

const std::vector<Row> kEvicted = {
    {"own/toleration-not-in-allocation",
     "explain pod probe-5c5c5-wwwww -n grid --assume-server v1.34",
     kFails,
     {"It was evicted at once for taint meter.grid.io/drift=high:NoExecute of device x1, though "
      "its "
      "claim tolerates it: the scheduler did not write the toleration into the allocation.",
      "3 pods of ReplicaSet probe-5c5c5 were evicted within 2m", "issue 134434",
      "Update the control plane to v1.35"},
     {"container runtime", "ok-0"},
     {"Pod grid/probe-5c5c5-wwwww", "though its claim tolerates it"}},
    {"own/toleration-not-in-allocation",
     "explain pod ok-0 -n grid --assume-server v1.34",
     kRuns,
     {"Running"},
     {"evicted"},
     {}},
    {"own/evicted-pod-does-not-end",
     "explain pod long-0 -n grid --assume-server v1.36",
     kFails,
     {"Terminating 19m on sg-1. It was evicted for taint meter.grid.io/drift=high:NoExecute of "
      "device "
      "x1, and its containers do not end."},
     {"though its claim tolerates"},
     {"Pod grid/long-0"}},
};

const std::vector<Row> kShared = {
    {"own/daemonset-shares-a-claim",
     "explain pod scan-bbbbb -n probes",
     kFails,
     {"All pods of DaemonSet scan share claim probes/lens, which is allocated on lx-1 only",
      "resourceClaimTemplateName in place of resourceClaimName: lens",
      "kubectl edit daemonset scan -n probes"},
     {"free the devices of", "delete pod", "Waiting may help"},
     {"All pods of DaemonSet scan share claim probes/lens"}},
};

TEST_CASE("pods that were evicted for a taint of a device") {
  for (const Row& row : kEvicted)
    golden::check_row(row, {});
}

TEST_CASE("pods of a DaemonSet that share a claim of one node") {
  for (const Row& row : kShared)
    golden::check_row(row, {});
}

const std::vector<Row> kDropped = {
    {"own/capacity-dropped-by-gate",
     "explain pod lane-1 -n mix --assume-server v1.35",
     kFails,
     {"The only device is in use by pod mix/lane-0; claim mix/part-1 was applied with "
      "spec.devices.requests[].exactly.capacity, which is not in it: the API server dropped it "
      "(feature gate DRAConsumableCapacity, off by default in v1.35).",
      "Switch DRAConsumableCapacity on"},
     {},
     {}},
    {"own/capacity-dropped-by-gate",
     "doctor --assume-server v1.35",
     kFails,
     {"warning FieldDropped: 2 claims (mix/part-0, mix/part-1) were applied with "
      "spec.devices.requests[].exactly.capacity, which is not in them"},
     {},
     {}},
    {"own/capacity-dropped-by-gate",
     "doctor --assume-server v1.36",
     kFails,
     {"in use"},
     {"FieldDropped", "was applied with"},
     {}},
};

const std::vector<Row> kFolded = {
    {"own/several-claims-never-released",
     "doctor",
     kFails,
     {"warning ReservationStale: 3 claims (lab/cut-a, lab/cut-b, lab/cut-c) are reserved for pods "
      "that are gone: 3 devices allocated and not in use.",
      "kubectl dra describe claim cut-a cut-b cut-c -n lab",
      "warning ClaimDeleting: 2 claims (lab/old-a, lab/old-b) were deleted at least 40m ago and "
      "are "
      "still reserved for pods that are gone: 2 devices allocated and not in use.",
      "2 warnings; looked at"},
     {"Claim lab/"},
     {}},
};

TEST_CASE("claims that nothing released are one problem") {
  for (const Row& row : kFolded)
    golden::check_row(row, {});
}

TEST_CASE("fields that the API server has dropped") {
  for (const Row& row : kDropped)
    golden::check_row(row, {});
}

TEST_CASE("pods in deletion whose driver does not work") {
  for (const Row& row : kDrivers)
    golden::check_row(row, {});
}

}  // namespace
}  // namespace dra::field_release_test
