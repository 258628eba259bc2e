// tests/golden/field_scenes_test.cpp: clusters in the state in which users asked for help. The
// facts of each must be in what the program prints, whatever its words. Each is asked a second time
// with other drivers and vendors, because no name of a driver may decide.

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cmd/cli.h"
#include "dra/base/text.h"
#include "tests/support/fake_console.h"
#include "tests/support/files.h"

namespace dra::field_scenes_test {
namespace {

struct Row {
  const char* file;
  const char* command;
  cmd::ExitCode exit;
  std::vector<std::string> says;    // in the answer
  std::vector<std::string> never;   // nowhere in it
  std::vector<std::string> doctor;  // in what doctor says
};

constexpr auto kFails = cmd::ExitCode::Found;
constexpr auto kOpen = cmd::ExitCode::Undetermined;

const std::vector<Row> kRows = {
    {"01-pool-name-shared-by-nodes",
     "explain pod app-2",
     kFails,
     {"kind-worker", "kind-worker2", "dx-dummy", "one pool for each node"},
     {"a node like"},
     {"PoolNameShared", "dx-dummy"}},
    {"02-driver-ready-but-no-slice",
     "explain pod rocm-smoke",
     kFails,
     {"gpu.amd.com publishes no device", "amd-gpu-dra-driver-x7k2p", "mi350-1", "kubectl logs"},
     {"lower the count", "Delete the class"},
     {"amd-gpu-dra-driver-x7k2p"}},
    {"04-class-missing-driver-half-installed",
     "explain pod pod1",
     kFails,
     {"gpu.nvidia.com does not exist", "compute-domain.nvidia.com"},
     {},
     {"compute-domain.nvidia.com"}},
    {"08-every-prepare-fails-on-one-node",
     "explain pod w-0",
     kFails,
     {"no claim on node h200-1", "h200-2", "restart its pod",
      "kubectl delete pod nvidia-dra-driver-gpu-kubelet-plugin-aaaaa"},
     {"tries again"},
     {"3 pods", "h200-1"}},
    {"10-running-phase-but-prepare-fails",
     "explain pod infer",
     kFails,
     {"PrepareCompleted", "HAMiCoreSupport", "kubectl delete pod infer"},
     {},
     {"infer"}},
    {"11-one-device-never-prepares",
     "explain pod job-2",
     kFails,
     {"pci-0000-00-09-0", "no interface name", "DeviceTaintRule", "delete pod job-2"},
     {},
     {"pci-0000-00-09-0"}},
    {"14-scale-from-zero",
     "explain pod model -o wide",
     kFails,
     {"gke-nodepool=l4-pool", "keep one", "foresees slices", "cluster-autoscaler says"},
     {},
     {"l4-pool"}},
    {"16-taint-rule-empty-selector",
     "explain pod train-5d4f8-aaaaa -n team-a",
     kFails,
     {"gpu-0-broken", "every device of the cluster", "spec.deviceSelector"},
     {},
     {"gpu-0-broken", "selector is empty"}},
    {"17-extended-resource-pod-not-evicted",
     "explain pod pod0",
     cmd::ExitCode::Done,
     {"maint", "not evicted", "kubectl delete pod pod0"},
     {},
     {"maint"}},
    {"17-extended-resource-pod-not-evicted",
     "describe pod pod0",
     cmd::ExitCode::Done,
     {"maint", "not evicted"},
     {"are evicted"},
     {}},
    {"17-extended-resource-pod-not-evicted",
     "describe taintrule maint",
     cmd::ExitCode::Done,
     {"not evicted", "pod0"},
     {"has no node yet"},
     {}},
    {"20-kueue-class-not-mapped",
     "explain pod train-0 -n ml",
     kFails,
     {"Kueue", "pod-train-0-b1a2c", "gpu.nvidia.com is not mapped", "1 free"},
     {},
     {"pod-train-0-b1a2c"}},
    {"21-quota-stops-claim",
     "explain pod big -n ml",
     kFails,
     {"gpus", "6 of 8 used", "4 more wanted"},
     {},
     {"gpus"}},
    {"22-scheduler-without-dra",
     "explain pod quickstart-job-0",
     kFails,
     {"cheduler volcano", "neither allocated nor reserved", "delete the pod"},
     {"spec.nodeName", "Wait"},
     {"volcano"}},
    {"23-scheduler-bug-score",
     "explain pod mpi-1 --assume-server v1.36",
     kOpen,
     {"number of allocations 1 is smaller than number of claims 2", "v1.36.2", "60 attempts"},
     {"has not acted yet"},
     {"mpi-1"}},
    {"24-gang-shared-claim-livelock",
     "explain pod gang-1",
     kFails,
     {"single-gpu", "2292168 attempts", "Waiting does not help"},
     {},
     {"error GangWaitsForClaim"}},
    {"28-claim-shared-driver-exclusive",
     "explain pod agn-2",
     kFails,
     {"any-nic", "agn-1", "ResourceClaimTemplate", "nic4"},
     {},
     {"any-nic"}},
    {"34-driver-daemonset-has-no-pods",
     "explain pod m",
     kFails,
     {"nvidia/nvidia-dra-driver-gpu-kubelet-plugin", "0 of 1 pods", "insufficient quota",
      "kubectl describe daemonset"},
     {"lower the count", "Delete the class"},
     {"nvidia/nvidia-dra-driver-gpu-kubelet-plugin"}},
    {"36-capacity-name-wrong",
     "explain pod pod-0 -n test-dra",
     kFails,
     {"gpumem", "cores, memory", "Write memory"},
     {},
     {"Write memory"}},
    {"38-mig-fragmented",
     "explain pod big",
     kFails,
     {"counters are exhausted", "the devices of pod default/s5"},
     {"the devices of pod default/s0"},
     {"big"}},
    {"41-terminating-pod-keeps-device",
     "explain pod next-aaaaa -n nvidia-dra-driver-gpu",
     kFails,
     {"nvbandwidth-pvl9g", "does not go away"},
     {"Waiting may help"},
     {"nvbandwidth-pvl9g"}},
    {"41-terminating-pod-keeps-device",
     "explain pod nvbandwidth-pvl9g -n nvidia-dra-driver-gpu",
     kFails,
     {"have ended", "kubectl logs"},
     {},
     {}},
    {"42-driver-remembers-deleted-claim",
     "explain pod vm-0",
     kFails,
     {"gpu-0", "7b1a0c2e-1111-4222-8333-944455556666", "no claim has it any more", "b300-1"},
     {"tries again by itself"},
     {"vm-0"}},
    {"44-prepare-deadline-exceeded",
     "explain pod virt-launcher-vm",
     kFails,
     {"DeadlineExceeded", "did not answer in time", "kubectl logs"},
     {},
     {"virt-launcher-vm"}},
    {"46-template-deleted",
     "explain pod gpu-deployment-6965-zmq5j -n gpu-test2",
     kFails,
     {"template single-gpu", "gpu-test2"},
     {},
     {"single-gpu"}},
    {"47-container-does-not-use-claim",
     "explain pod vllm",
     kFails,
     {"resources.claims", "7 restarts"},
     {},
     {"resources.claims"}},
    {"48-gpu-node-not-ready",
     "explain pod p0 -n gpu-test2",
     kFails,
     {"he only node", "gke-t4-1", "not ready", "2 free"},
     {},
     {"gke-t4-1"}},
    {"51-device-plugin-and-dra-same-gpus",
     "explain pod gms-0",
     kFails,
     {"CUDA out of memory", "nvidia.com/gpu", "default/vllm-old"},
     {},
     {"dgx-1", "nvidia.com/gpu", "vllm-old", "gms-0"}},
    {"53-old-claim-same-name",
     "explain pod db-0",
     kFails,
     {"older claim db-gpu", "11111111-2222", "restart the driver's pod"},
     {"could not prepare"},
     {"db-gpu"}},
    {"54-webhook-drops-field",
     "explain deployment demo",
     kFails,
     {"must specify one of", "old-injector", "drops the field"},
     {"makes fits"},
     {"demo", "old-injector"}},
    {"56-non-pod-consumer-keeps-claim",
     "explain pod next",
     kFails,
     {"default/held", "trainers.workload.example.com t1", "not a pod"},
     {"Waiting may help"},
     {"default/held"}},
    {"56-non-pod-consumer-keeps-claim",
     "describe claim held",
     cmd::ExitCode::Done,
     {"trainers.workload.example.com t1", "is not a pod", "take it back"},
     {},
     {}},
    {"61-all-while-one-is-taken",
     "explain pod launcher -n serve",
     kFails,
     {"all matching", "1 in use by pod serve/req-0", "serve/req-0"},
     {},
     {"launcher"}},
    {"66-kubelet-may-not-read-claim",
     "explain pod t",
     kFails,
     {"cannot read claim t-gpu-1, which exists", "driver was not called"},
     {"kubectl logs", "Create the claim"},
     {"t-gpu-1"}},
    {"69-sandbox-fails-in-nri-hook",
     "explain pod nccl-0",
     kFails,
     {"NetworkDeviceAttachFailed", "nic3"},
     {},
     {"nic3"}},
    {"71-not-dra-image-pull",
     "explain pod t",
     kFails,
     {"devices are prepared", "ImagePullBackOff"},
     {"could not prepare"},
     {"ImagePullBackOff"}},
    {"74-scheduler-lacks-permission",
     "explain pod tf-0",
     kOpen,
     {"tensor-fusion-scheduler", "resourceclaims/binding", "ClusterRole", "50 attempts"},
     {},
     {"resourceclaims/binding"}},
};

// Other names of the same kind, none of which the program knows.
using Names = std::vector<std::pair<std::string_view, std::string_view>>;
const Names kOthers = {{"nvidia", "zetacorp"},      {"dra.net", "nic.omega.io"},
                       {"dranet", "omega-dra-nic"}, {"amd", "betachips"},
                       {"intel", "gammasys"},       {"project-hami", "deltasoft"}};

std::string renamed(std::string text, const Names& names) {
  for (const auto& [from, to] : names) {
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  }
  return text;
}

// The text on one line, without the breaks that a terminal's width makes.
std::string on_one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\n';
    if (!space || !line.ends_with(' ')) line += space ? ' ' : c;
  }
  return line;
}

std::string printed(std::vector<std::string> args, const std::string& cluster,
                    std::optional<cmd::ExitCode> want) {
  args.insert(args.end(), {"--snapshot", "-"});
  support::FakeConsole console({.now = "2026-11-20T09:30:00Z", .input = cluster});
  const cmd::ExitCode exit = cmd::run_cli(args, console.streams());
  if (want) CHECK(exit == *want);
  return on_one_line(console.out() + console.err());
}

void check_words(const std::string& text, const std::vector<std::string>& says,
                 const std::vector<std::string>& never, const Names& names) {
  for (const std::string& word : says)
    CHECK_MESSAGE(text.find(renamed(word, names)) != std::string::npos, word, " IS NOT IN ", text);
  for (const std::string& word : never)
    CHECK_MESSAGE(text.find(renamed(word, names)) == std::string::npos, word, " IS IN ", text);
}

void check_row(const Row& row, const Names& names) {
  const std::string cluster =
      renamed(support::read(base::format("tests/golden/field/{}.yaml", row.file)), names);
  CAPTURE(std::string(row.file));
  CAPTURE(std::string(row.command));
  const std::string command = renamed(row.command, names);
  std::vector<std::string> args;
  for (const std::string_view word : base::split(command, ' '))
    args.emplace_back(word);
  check_words(printed(args, cluster, row.exit), row.says, row.never, names);
  const std::string doctor = printed({"doctor"}, cluster, std::nullopt);
  check_words(doctor, row.doctor, {"Nothing is wrong"}, names);
}

TEST_CASE("clusters of users") {
  for (const Row& row : kRows)
    check_row(row, {});
}

TEST_CASE("clusters of users, with drivers that are not known") {
  for (const Row& row : kRows)
    check_row(row, kOthers);
}

}  // namespace
}  // namespace dra::field_scenes_test
