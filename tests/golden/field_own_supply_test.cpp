// tests/golden/field_own_supply_test.cpp: a driver that is missing, down, or without devices on a
// node that the pod could use.

#include <doctest/doctest.h>

#include "tests/golden/field_row.h"

namespace dra::field_own_supply_test {
namespace {

using golden::Row;

constexpr auto kFails = cmd::ExitCode::Found;

const std::vector<Row> kIdleNodes = {
    {"own/driver-cannot-mount-on-idle-node",
     "explain pod enc-1 -n media",
     kFails,
     {"in use by pod media/enc-0; node fp-2 publishes none: the driver's pod there is "
      "ContainerCreating: MountVolume.SetUp failed",
      "is not a socket file", "kubectl describe pod fpga-acme-com-plugin-m3m3m -n acme"},
     {"PodInitializing", "web-1 publishes"},
     {"node fp-2 publishes none", "is not a socket file"}},
    {"own/driver-cannot-mount-where-pod-is-pinned",
     "explain pod enc-1 -n media",
     kFails,
     {"Node fp-2, the only one it can use, has no devices of fpga.acme.com: the driver's pod "
      "there is ContainerCreating",
      "is not a socket file"},
     {"is in use", "add a node"},
     {"Node fp-2, the only one it can use"}},
    {"own/driver-crashes-on-two-idle-nodes",
     "explain pod q-1 -n lab",
     kFails,
     {"in use by pod lab/q-0; nodes n-2 and n-3 publish none: the driver's pod there is "
      "CrashLoopBackOff: register plugin: context deadline exceeded",
      "kubectl logs qpu-labs-io-bb2bb -n labs --all-containers --previous"},
     {"back-off"},
     {"1 warning", "n-2, n-3"}},
    {"own/daemonset-skips-one-machine",
     "explain pod t-1 -n ml",
     kFails,
     {"in use by pod ml/t-0; node x-2 publishes none: DaemonSet acme/xpu-acme-com selects "
      "acme.com/dra=on, a label that is missing there (same machine type m9.xpu.large as "
      "node x-1)",
      "kubectl label node x-2 'acme.com/dra=on'"},
     {"c-1 publishes", "cp-0 publishes"},
     {"warning NoSlices: Node x-2 has no devices of xpu.acme.com", "1 warning"}},
    {"own/daemonset-skips-the-only-machine",
     "explain pod t-1 -n ml",
     kFails,
     {"Node x-2, the only one it can use, has no devices of xpu.acme.com: DaemonSet "
      "acme/xpu-acme-com selects acme.com/dra=on",
      "kubectl label node x-2 'acme.com/dra=on'"},
     {"is in use"},
     {"kubectl label node x-2 'acme.com/dra=on'"}},
    {"own/slice-without-devices-on-one-machine",
     "explain pod v-1 -n edge",
     kFails,
     {"in use by pod edge/v-0; node e-2 publishes none: the driver runs there and found no device: "
      "its slice is empty (same machine type e4.npu-2 as node e-1)",
      "kubectl logs npu-labs-io-bb2bb -n labs"},
     {},
     {"warning NoSlices: Node e-2 has no devices of npu.labs.io: driver npu.labs.io runs there and "
      "found no device"}},
    {"own/slice-without-devices-where-pod-is-pinned",
     "explain pod v-1 -n edge",
     kFails,
     {"Node e-2, the only one it can use, has no devices of npu.labs.io: the driver runs "
      "there "
      "and found no device"},
     {"is in use"},
     {"Node e-2"}},
    {"own/driver-runs-everywhere",
     "explain pod v-1 -n edge",
     kFails,
     {"The only device is in use by pod edge/v-0."},
     {"-> Look at the log"},
     {"1 error; looked at"}},
};

const std::vector<Row> kOthers = {
    {"own/share-takes-counters-again",
     "explain pod infer-1",
     kFails,
     {"pvu-4, which pod default/infer-0 uses, needs 48Mi sram (die) once more", "issue 140433",
      "update kube-scheduler to v1.37"},
     {"has the rest"},
     {"CountersShort"}},
    {"own/admin-access-takes-counters",
     "explain pod infer-1",
     kFails,
     {"pvu-4, which pod default/infer-0 uses, needs 48Mi sram (die) once more", "issue 140729",
      "for admin access, too"},
     {"has the rest"},
     {"CountersShort"}},
    {"own/daemonset-pod-of-a-full-node",
     "explain pod probe-aa1aa -n obs",
     kFails,
     {"It is for node w-1 only (DaemonSet probe): both devices are in use by pod obs/fit-a and pod "
      "obs/fit-b",
      "If the pod only watches devices, write adminAccess: true in request",
      "kubectl label namespace obs resource.kubernetes.io/admin-access=true"},
     {"w-2 has 1 free"},
     {"It is for node w-1 only"}},
    {"own/runtime-is-docker",
     "explain pod infer-1 -n ml",
     kFails,
     {"node n-b runs Docker (docker://28.1.0), through which a container may not get its devices",
      "pod ml/infer-3 crashes there, too, and pod ml/infer-2 runs on node n-a (containerd://2.1.4)",
      "cri-dockerd"},
     {"The program itself fails"},
     {"n-b runs Docker", "1 error"}},
    {"own/all-crash-on-one-node",
     "explain pod infer-1 -n ml",
     kFails,
     {"every pod with devices of gpu.acme.com crashes on node n-b, and not on others",
      "Look for what differs on node n-b"},
     {"The program itself fails", "Docker"},
     {"every pod with devices of gpu.acme.com crashes on node n-b", "1 error"}},
    {"own/one-container-of-two-drivers-crashes",
     "explain pod sim-1 -n cfd",
     kFails,
     {"node k-1 publishes none: container cards of the driver's pod there is CrashLoopBackOff",
      "-c cards --previous"},
     {},
     {"Node k-1 has no devices of card.acme.com",
      "Claim cfd/old-0-dev holds devices that are gone"}},
    {"own/in-use-here-tainted-there",
     "explain pod fold-2 -n bio",
     kFails,
     {"3 of 5 devices are in use; the other 2 (c1, c2 of node b-1) are tainted "
      "labs.io/fault=12:NoSchedule by the driver"},
     {"cp-0: taint", "2 other nodes"},
     {"3 of 5 devices are in use"}},
    {"own/selector-error-on-one-device-only",
     "explain pod hpc-1 -n lab",
     kFails,
     {"no such key: rail (device hca.labs.io/r-1/p1); the scheduler then gives up",
      "-> Guard the selector, as 1 of 3 devices has no rail: "
      "has(device.attributes[\"hca.labs.io\"].rail)"},
     {},
     {"hca.labs.io/r-1/p1", "Put has() before"}},
};

const std::vector<Row> kUnseenSets = {
    {"own/daemonset-controller-is-behind",
     "explain pod a -n ml",
     kFails,
     {"its DaemonSet kestrel/kestrel-dra-plugin has no pods, as the controller of DaemonSet "
      "kestrel-dra-plugin has not seen its last change (metadata.generation is 2, "
      "status.observedGeneration 1)",
      "kubectl get lease kube-controller-manager"},
     {"selects no node", "label a node"},
     {"has not seen its last change",
      "error PodsNotCreated: DaemonSet ml/probe has no pods: the "
      "controller of DaemonSet probe has not seen"}},
    {"own/daemonset-controller-is-behind",
     "explain daemonset probe -n ml",
     kFails,
     {"DaemonSet ml/probe has no pods: the controller of DaemonSet probe has not seen its last "
      "change"},
     {"wants no pods"},
     {}},
    {"own/daemonset-never-seen",
     "explain pod a -n ml",
     kFails,
     {"its DaemonSet kestrel/kestrel-dra-plugin has no pods, as the controller of DaemonSet "
      "kestrel-dra-plugin has made no pods, and reports nothing",
      "kubectl get lease kube-controller-manager"},
     {"selects no node"},
     {"has made no pods, and reports nothing"}},
    {"own/daemonset-never-seen",
     "explain daemonset probe -n ml",
     kFails,
     {"DaemonSet ml/probe has no pods: the controller of DaemonSet probe has made no pods, and "
      "reports nothing"},
     {"wants no pods"},
     {}},
};

// After a reboot each of the two may wait for the other.
const std::vector<Row> kCircles = {
    {"own/driver-waits-for-room-of-its-pod",
     "explain pod sim-0 -n lab",
     kFails,
     {"Driver npu.tarn.io is not registered on node rb-1: its pod tarn/tarn-dra-plugin-7q7q7 waits "
      "for what pod lab/sim-0 holds, and that pod waits for the driver.",
      "is for this node and is Pending: the pod needs 1 cpu, and 500m of 8 are left",
      "Delete pod sim-0: the driver's pod then gets onto node rb-1", "kubectl delete pod sim-0",
      "has been rebooted"},
     {"node selector and tolerations"},
     {"waits for what pod lab/sim-0 holds", "kubectl delete pod sim-0 -n lab"}},
    {"own/driver-waits-for-room-of-two-pods",
     "explain pod sim-1 -n lab",
     kFails,
     {"waits for what pod lab/sim-1 holds, and that pod waits for the driver.",
      "kubectl delete pod sim-1 -n lab"},
     {},
     {"2 pods (lab/sim-0, lab/sim-1)", "waits for what pod lab/sim-0 holds"}},
    {"own/driver-waits-for-room-of-others",
     "explain pod sim-0 -n lab",
     kFails,
     {"its pod tarn/tarn-dra-plugin-7q7q7 does not get onto it (the pod needs 1 cpu",
      "Free on node rb-1 what the driver's pod waits for",
      "kubectl describe pod tarn-dra-plugin-7q7q7 -n tarn"},
     {"delete pod sim-0", "for what pod"},
     {"does not get onto it (the pod needs 1 cpu"}},
    {"own/driver-makes-room-for-itself",
     "explain pod sim-0 -n lab",
     kFails,
     {"its pod tarn/tarn-dra-plugin-7q7q7 does not get onto it (the pod needs 1 cpu"},
     {"delete pod sim-0", "for what pod"},
     {"does not get onto it (the pod needs 1 cpu"}},
    {"own/driver-kept-out-by-taint-after-reboot",
     "explain pod sim-0 -n lab",
     kFails,
     {"its pod tarn/tarn-dra-plugin-7q7q7 does not get onto it (taint "
      "tarn.io/after-reboot=check:NoSchedule is not tolerated)",
      "node selector and tolerations"},
     {"delete pod sim-0"},
     {"taint tarn.io/after-reboot=check:NoSchedule is not tolerated"}},
    {"own/driver-claims-its-own-device",
     "explain pod sim-0 -n lab",
     kFails,
     {"its pod there waits for devices that only this driver prepares",
      "Remove claim npu from its DaemonSet"},
     {},
     {"its pod there waits for devices that only this driver prepares"}},
};

TEST_CASE("a driver whose DaemonSet its controller has not seen") {
  for (const Row& row : kUnseenSets)
    golden::check_row(row, {});
}

TEST_CASE("a driver that does not get onto its node again") {
  for (const Row& row : kCircles)
    golden::check_row(row, {});
}

TEST_CASE("a driver that is down or finds nothing on an idle node") {
  for (const Row& row : kIdleNodes)
    golden::check_row(row, {});
}

TEST_CASE("other causes on nodes, and their words") {
  for (const Row& row : kOthers)
    golden::check_row(row, {});
}

}  // namespace
}  // namespace dra::field_own_supply_test
