// tests/golden/field_schedulers_test.cpp: troubles with schedulers and kube-controller-manager: one
// that does not run, that knows no DRA, or that is not the default one.

#include <doctest/doctest.h>

#include "tests/golden/field_row.h"

namespace dra::field_schedulers_test {
namespace {

constexpr auto kFails = cmd::ExitCode::Found;
constexpr auto kRuns = cmd::ExitCode::Done;
constexpr auto kOpen = cmd::ExitCode::Undetermined;

const std::vector<golden::Row> kRows = {
    {"own/scheduler-crashes",
     "explain pod late-1",
     kFails,
     {"It fits on 1 of 2 nodes, but kube-scheduler does not run: its pod "
      "kube-system/kube-scheduler-m-1 is not ready (CrashLoopBackOff, 7 restarts",
      "kubectl logs kube-scheduler-m-1 -n kube-system --all-containers --previous"},
     {"has not acted yet", "get lease", "What may be behind it"},
     {"error SchedulerDown", "default/late-1", "kube-scheduler does not run"}},
    {"own/own-scheduler-not-ready",
     "explain pod batch-0",
     kFails,
     {"but gangster does not run: its pod sched/gangster-scheduler-5d9-k2x is not ready (Running: Readiness "
      "probe failed: HTTP probe failed with statuscode: 500)",
      "kubectl logs gangster-scheduler-5d9-k2x -n sched --all-containers"},
     {"--previous"},
     {"error SchedulerDown", "gangster-scheduler-5d9-k2x"}},
    {"own/controller-manager-crashes",
     "explain pod fresh-0",
     kFails,
     {"that has not happened: kube-controller-manager does not run, its pod "
      "kube-system/kube-controller-manager-m-1 is not ready (CrashLoopBackOff, 12 restarts",
      "kubectl logs kube-controller-manager-m-1 -n kube-system --all-containers --previous"},
     {"lease"},
     {"kube-controller-manager does not run"}},
    {"own/controller-manager-without-claim-controller",
     "explain pod mix-0 -n lab",
     kFails,
     {"that has not happened: kube-controller-manager runs without its resourceclaim-controller "
      "(--controllers=*,bootstrapsigner,-resourceclaim-controller of pod "
      "kube-system/kube-controller-manager-lm-1)",
      "Take -resourceclaim-controller out of --controllers of kube-controller-manager",
      "kubectl get pod kube-controller-manager-lm-1 -n kube-system -o yaml"},
     {"lease", "or its log says"},
     {"runs without its resourceclaim-controller"}},
    {"own/controller-manager-without-gate",
     "explain pod mix-0 -n lab",
     kFails,
     {"kube-controller-manager runs without feature gate DynamicResourceAllocation (off by default "
      "in v1.33",
      "Add DynamicResourceAllocation=true to --feature-gates of kube-controller-manager"},
     {"lease"},
     {"runs without feature gate DynamicResourceAllocation"}},
    {"own/controller-manager-with-all-flags",
     "explain pod mix-0 -n lab",
     kFails,
     {"its lease shows"},
     {"runs without"},
     {}},
    {"own/taint-rule-gate-off-in-flags",
     "describe taintrule swap-fan",
     kRuns,
     {"has no effect", "DRADeviceTaintRules is off", "stays"},
     {"evicts", "would be evicted"},
     {"DRADeviceTaintRules is off"}},
    {"own/taint-rule-gate-off-in-flags",
     "taintrules",
     kRuns,
     {"lumen.dev/fan:NoExecute 2 0"},
     {},
     {}},
    {"own/gang-of-135-shares-a-claim",
     "explain pod rank-1 -n sim",
     kFails,
     {"The pods of group ranks of workload flow share claim halo", "it has tried 81234 times",
      "a bug of kube-scheduler v1.35 (kubernetes/kubernetes issue 137617)", "update to v1.36"},
     {".."},
     {"error GangWaitsForClaim: 2 pods"}},
    {"own/gang-of-135-shares-a-claim",
     "explain pod rank-1 -n sim --assume-server v1.36",
     kFails,
     {"The pods of group ranks of workload flow share claim halo"},
     {"137617"},
     {}},
    {"own/extended-resource-stays-on-tainted-device",
     "explain pod enc -n video",
     kRuns,
     {"the pod is not evicted, as it has the device by an extended resource",
      "a bug of kube-controller-manager v1.36 (kubernetes/kubernetes issue 141290)"},
     {},
     {}},
    {"own/default-scheduler-without-dra",
     "explain pod vm-1",
     kFails,
     {"Scheduler default-scheduler has bound it, but claim default/npu is neither allocated nor "
      "reserved for it",
      "default-scheduler runs without DRA", "DynamicResourceAllocation",
      "A new pod meets the same before that"},
     {"bypasses", "spec.nodeName. "},
     {"default-scheduler runs without DRA"}},
    {"own/stored-taint-proves-the-gate",
     "explain pod next-0",
     kFails,
     {"taint npu.acme.com/ecc"},
     {"It fits"},
     {"npu.acme.com/ecc=7:NoSchedule"}},
    {"own/gate-before-another-scheduler",
     "explain pod role-0",
     kFails,
     {"acme.com/gang-incomplete"},
     {"Undetermined", "is responsible for this pod"},
     {"acme.com/gang-incomplete"}},
    {"own/another-scheduler-refuses",
     "explain pod infer-3",
     kOpen,
     {"It fits as far as DRA goes, but gangster has not placed it",
      "1 has no such device on node w-2, and 1 "
      "cannot allocate all DRA claims on node w-1",
      "npu-1"},
     {"Undetermined", "Look at that scheduler's events and log"},
     {"gangster has not placed it"}},
    {"own/claim-webhook-unreachable",
     "explain pod infer-0",
     kFails,
     {"no endpoints available", "did not refuse it", "its service acme-system/acme-claim-webhook",
      "kubectl get pods,endpointslices -n acme-system"},
     {"as the webhook wants it", "cannot be edited"},
     {"acme-system/acme-claim-webhook"}},
    {"own/template-not-made-by-its-controller",
     "explain pod nccl-0",
     kFails,
     {"for ComputeDomain nccl, and has not", "Do not create the template by hand",
      "kubectl describe computedomains.resource.nvidia.com nccl -n default"},
     {"Create template nccl-channel"},
     {"Do not create the template by hand"}},
    {"own/plugin-gone-node-still-lists-zero",
     "explain pod legacy-0",
     kFails,
     {"still lists npu.acme.com/chip: 0 of a device plugin",
      "Remove npu.acme.com/chip from the status of each node that lists 0 of it",
      "kubectl patch node w-1 --subresource=status --type=json", "npu.acme.com~1chip"},
     {"DRAExtendedResource is off", "DRA does not hold it up"},
     {"still lists npu.acme.com/chip: 0"}},
    {"own/released-by-no-controller",
     "explain pod next-0",
     kFails,
     {"gone-0-acc", "never released",
      "kube-controller-manager releases such devices, and does not run: its pod "
      "kube-system/kube-controller-manager-m-1 is not ready (CrashLoopBackOff, 12 restarts"},
     {"get lease"},
     {"kube-controller-manager"}},
};

}  // namespace

TEST_CASE("schedulers and kube-controller-manager that do not do their part") {
  for (const golden::Row& row : kRows)
    golden::check_row(row, {});
}

}  // namespace dra::field_schedulers_test
