// tests/cmd/commands/complete_test.cpp

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cmd/cli.h"
#include "dra/base/text.h"
#include "tests/support/fake_console.h"
#include "tests/support/fake_plugin.h"
#include "tests/support/temp_dir.h"

namespace dra::cmd::complete_test {
namespace {

// The choices without their descriptions, and the directive, on one line.
std::string complete(std::vector<std::string> words) {
  support::FakeConsole console;
  words.insert(words.begin(), "__complete");
  CHECK(run_cli(words, console.streams()) == ExitCode::Done);
  CHECK(console.err().empty());
  std::string line;
  const std::string out = console.out();
  for (const std::string_view choice : base::split(out, '\n')) {
    if (!choice.empty())
      line += (line.empty() ? "" : " ") + std::string(choice.substr(0, choice.find('\t')));
  }
  return line;
}

TEST_CASE("names of a kubeconfig are offered, contexts after each comma, each once") {
  const support::TempDir dir;
  const std::string config = dir.write("config", R"(apiVersion: v1
kind: Config
contexts: [{name: dev, context: {}}, {name: prod, context: {}}]
clusters: [{name: east, cluster: {}}, {name: west, cluster: {}}]
users: [{name: me, user: {}}]
)");
  CHECK(complete({"claims", "--kubeconfig", config, "--cluster", ""}) == "east west :4");
  CHECK(complete({"claims", "--kubeconfig", config, "--user="}) == "me :4");
  CHECK(complete({"claims", "--kubeconfig", config, "--context", ""}) == "dev prod :4");
  CHECK(complete({"claims", "--kubeconfig", config, "--contexts", "d"}) == "dev :4");
  CHECK(complete({"claims", "--kubeconfig", config, "--contexts", "dev,"}) == "dev,prod :4");
  CHECK(complete({"claims", "--kubeconfig", config, "--contexts=prod,"}) == "prod,dev :4");
}

TEST_CASE("completion") {
  struct Case {
    std::string name;
    std::vector<std::string> words;
    std::string want;
  };
  const std::vector<Case> cases = {
      {"commands by how they begin", {"ve"}, "version :4"},
      {"hidden commands are not offered", {"__"}, ":4"},
      {"a command after flags and their values", {"-n", "x", "ve"}, "version :4"},
      {"nothing after an unknown command", {"nonsense", ""}, ":4"},
      {"flags of the command and of all", {"version", "--o"}, "--output :4"},
      {"flags before the command", {"--sn"}, "--snapshot :4"},
      {"no flags after --", {"help", "--", "--"}, ":4"},
      {"values of a flag", {"version", "-o", ""}, "json :4"},
      {"formats, of which some take a value",
       {"claims", "-o", "json"},
       "json jsonpath jsonpath-as-json jsonpath-file :4"},
      {"classes for a flag", {"eval", "--demo=gpu", "--class", ""}, "gpu.nvidia.com :4"},
      {"devices for a flag, by short names where they do",
       {"eval", "--demo=gpu", "--device", "gpu-1"},
       "gpu-1 :4"},
      {"devices for a flag that can be given several times",
       {"explain", "--demo=gpu", "pod", "p", "--device", "gpu-1", "--device=gpu-1"},
       "gpu-1 :4"},
      {"nouns after get", {"get", "cla"}, "claim class :4"},
      {"names after get and a noun",
       {"get", "resourceclaims", "--snapshot=tests/cmd/objects.yaml", "-nml", ""},
       "train-a train-b :4"},
      {"names joined to the noun after get",
       {"get", "--snapshot=tests/cmd/objects.yaml", "-nml", "claim/train-a", "claim/train-b"},
       "claim/train-b :4"},
      {"names joined to the noun without get",
       {"--snapshot=tests/cmd/objects.yaml", "-nml", "claim/"},
       "claim/train-a claim/train-b :4"},
      {"nothing joined to what is no noun",
       {"get", "--snapshot=tests/cmd/objects.yaml", "secret/"},
       ":4"},
      {"classes", {"classes", "--demo=gpu", ""}, "gpu.nvidia.com :4"},
      {"drivers", {"drivers", "--demo", ""}, "gpu.nvidia.com tpu.google.com :4"},
      {"nodes", {"nodes", "--demo=tpu", ""}, "gke-v6e-8-pool-5b1c9d3e-k7xq :4"},
      {"templates", {"templates", "--demo=gpu", ""}, "gpu-claim :4"},
      {"drivers for a flag", {"devices", "--demo=gpu", "--driver", ""}, "gpu.nvidia.com :4"},
      {"nodes for a flag", {"devices", "--demo=tpu", "--node="}, "gke-v6e-8-pool-5b1c9d3e-k7xq :4"},
      {"pools for a flag",
       {"get", "devices", "--demo=tpu", "--pool="},
       "gke-v6e-8-pool-5b1c9d3e-k7xq :4"},
      {"values joined by =, without the flag", {"version", "--output=j"}, "json :4"},
      {"demos", {"--demo="}, "alignment cluster crash degraded gpu mig tpu :4"},
      {"a file", {"--snapshot", "tests/"}, ":0"},
      {"a file joined by =", {"--kubeconfig="}, ":0"},
      {"shells", {"completion", "p"}, "powershell :4"},
      {"kinds of reports", {"schema", "Ex"}, "Explanation ExplanationList :4"},
      {"commands to get help for", {"help", "ve"}, "version :4"},
      {"no more arguments than the command takes", {"completion", "bash", ""}, ":4"},
      {"the flag that waits decides, not the command",
       {"completion", "--demo=gpu", "-o", "j"},
       ":4"},
      {"nothing from a server that is not there", {"claims", ""}, ":4"},
      {"nothing from a file that is not there",
       {"claims", "--snapshot", "tests/none.yaml", ""},
       ":4"},
      {"nothing from standard input", {"claims", "--snapshot", "-", ""}, ":4"},
      {"namespaces of the file that is named",
       {"--snapshot", "tests/cmd/objects.yaml", "-n", ""},
       "ml :4"},
      {"names in the namespace that is named",
       {"--snapshot", "tests/cmd/objects.yaml", "-n", "ml", "claims", ""},
       "train-a train-b :4"},
      {"names in the default namespace",
       {"claims", "--snapshot=tests/cmd/objects.yaml", ""},
       "other :4"},
      {"pods that have claims",
       {"pods", "--snapshot=tests/cmd/objects.yaml", "-nml", ""},
       "with-claim :4"},
      {"pools of a name that two drivers have, by both; not a driver that would act on the "
       "terminal",
       {"pools", "--snapshot=tests/cmd/objects.yaml", ""},
       "gpu.example.com/pool-a :4"},
      {"slices", {"slices", "--snapshot=tests/cmd/objects.yaml", ""}, "slice-1 slice-2 :4"},
      {"devices, but not a name that would act on the terminal",
       {"devices", "--snapshot=tests/cmd/objects.yaml", ""},
       "gpu-0 gpu-1 :4"},
      {"by its whole id a device that shares its name with others, by its own one that does not",
       {"describe", "device", "--demo=gpu", ""},
       "gpu.nvidia.com/gke-gpu-a100-40gb-pool-1d9e77f0-m4zz/gpu-0 gpu-1 "
       "gpu.nvidia.com/gke-gpu-a100-80gb-pool-c78060b4-cg6n/gpu-0 "
       "gpu.nvidia.com/gke-gpu-a100-80gb-pool-c78060b4-t5wd/gpu-0 :4"},
      {"the whole id of what has one of its own, too, once a slash is there",
       {"describe", "pool", "--demo=tpu", "tpu.google.com/"},
       "tpu.google.com/gke-v6e-8-pool-5b1c9d3e-k7xq :4"},
      {"a whole id joined to the noun",
       {"describe", "--demo=tpu", "pool/tpu.google.com/"},
       "pool/tpu.google.com/gke-v6e-8-pool-5b1c9d3e-k7xq :4"},
      {"a whole id of what is listed",
       {"pools", "--demo=tpu", "tpu.google.com/"},
       "tpu.google.com/gke-v6e-8-pool-5b1c9d3e-k7xq :4"},
      {"a second kind after get", {"get", "claims,p"}, "claims,pods :4"},
      {"a second kind without get", {"claims,p"}, "claims,pods :4"},
      {"no kind again, and none that is no object",
       {"get", "claims,pods,"},
       "claims,pods,classes claims,pods,nodes claims,pods,slices claims,pods,taintrules "
       "claims,pods,templates :4"},
      {"nothing behind a kind that is not known", {"get", "nonsense,p"}, ":4"},
      {"namespaces that only objects tell of", {"claims", "--demo=gpu", "-n", ""}, "default :4"},
      {"kinds to explain",
       {"explain", ""},
       "claim device node pod slice cronjob daemonset deployment job jobset leaderworkerset "
       "raycluster replicaset statefulset :36"},
      {"names of what makes pods",
       {"explain", "deploy", "--snapshot=tests/golden/scenes/workloads.yaml", "-nml", ""},
       "fresh vllm :36"},
      {"names of it joined to the kind",
       {"explain", "--snapshot=tests/golden/scenes/workloads.yaml", "-nml", "sts/t"},
       "sts/train :36"},
      {"attributes and capacities for a column",
       {"devices", "--demo=gpu", "-L", ""},
       "addressingMode architecture brand cudaComputeCapability cudaDriverVersion driverVersion "
       "productName resource.kubernetes.io/pciBusID resource.kubernetes.io/pcieRoot type uuid "
       "memory :4"},
      {"a further attribute, none again",
       {"devices", "--demo=gpu", "-L", "memory,pro"},
       "memory,productName :4"},
      {"labels of the nodes for a column",
       {"nodes", "--demo=tpu", "-L", "cloud.google.com/gke-tpu"},
       "cloud.google.com/gke-tpu-accelerator cloud.google.com/gke-tpu-dra-driver "
       "cloud.google.com/gke-tpu-topology :4"},
      {"labels of what get lists, none again",
       {"get", "nodes,claims", "--demo=tpu", "-L", "kubernetes.io/hostname,kub"},
       "kubernetes.io/hostname,kubernetes.io/arch kubernetes.io/hostname,kubernetes.io/os :4"},
      {"places and attributes to group by",
       {"topology", "--demo=gpu", "--group-by", "n"},
       "node numa :4"},
      {"a class whose price follows, without a space",
       {"top", "--demo=gpu", "--price", ""},
       "gpu.nvidia.com= :6"},
      {"workloads that hold devices",
       {"top", "--demo=gpu", "workloads", ""},
       "vllm-gpu nightly-eval :4"},
      {"keys of taints",
       {"explain", "pod", "p", "--snapshot=tests/fixtures/device-taints.yaml", "--tolerate", ""},
       "example.com/maintenance example.com/what-if example.com/matches-everything "
       "example.com/matches-nothing HealthIssues-memorytemperature gpu.nvidia.com/xid "
       "gpu.nvidia.com/gpu-lost :4"},
      {"claims and pods that hold devices",
       {"explain", "pod", "p", "--demo=gpu", "--without", "pod/"},
       "pod/default/nightly-eval-2vqzk pod/default/vllm-gpu-7b9f6c5d44-9hmdw "
       "pod/default/vllm-gpu-7b9f6c5d44-kx4lt :4"},
      {"the pod that waits before those that run",
       {"explain", "pod", "--demo=gpu", ""},
       "vllm-gpu-7b9f6c5d44-w8pjn nightly-eval-2vqzk vllm-gpu-7b9f6c5d44-9hmdw "
       "vllm-gpu-7b9f6c5d44-kx4lt :36"},
      {"the pod to change in a plan",
       {"plan", "--demo=gpu", "--pod", "v"},
       "vllm-gpu-7b9f6c5d44-w8pjn vllm-gpu-7b9f6c5d44-9hmdw vllm-gpu-7b9f6c5d44-kx4lt :36"},
      {"a node or a node pool for more like it",
       {"plan", "--demo=tpu", "--add-node-like", ""},
       "gke-v6e-8-pool-5b1c9d3e-k7xq v6e-8-pool :4"},
      {"node pools to draw", {"topology", "--demo=tpu", "nodepool", ""}, "v6e-8-pool :4"},
      {"members of a device in an expression",
       {"eval", "device."},
       "device.allowMultipleAllocations device.attributes[\" device.capacity[\" device.driver :6"},
      {"behind what stands before, in quotes",
       {"eval", "'device.driver == \"x\" && !device.dr"},
       "device.driver == \"x\" && !device.driver :6"},
      {"no members of what is no device", {"eval", "mydevice."}, ":6"},
      {"none either", {"eval", "my.device.dr"}, ":6"},
      {"domains of attributes",
       {"eval", "--demo=gpu", "'device.attributes[\""},
       "device.attributes[\"gpu.nvidia.com\"]. device.attributes[\"resource.kubernetes.io\"]. :6"},
      {"names of a domain, for the quotes that are there",
       {"eval", "--demo=gpu", "device.attributes['resource.kubernetes.io'].pcie"},
       "device.attributes['resource.kubernetes.io'].pcieRoot :6"},
      {"capacity, which has names of its own",
       {"eval", "--demo=gpu", "device.capacity[\"gpu.nvidia.com\"]."},
       "device.capacity[\"gpu.nvidia.com\"].memory :6"},
      {"what follows a whole name is not guessed",
       {"eval", "--demo=gpu", "device.attributes[\"gpu.nvidia.com\"].type == "},
       ":6"},
      {"the last name counts",
       {"eval", "--demo=gpu",
        "device.attributes[\"gpu.nvidia.com\"].type == \"x\" || device.capacity[\"g"},
       "device.attributes[\"gpu.nvidia.com\"].type == \"x\" || "
       "device.capacity[\"gpu.nvidia.com\"]. :6"},
      {"a state to compare with", {"explain", "pod", "p", "--compare", ""}, ":0"},
      {"a file to explain", {"explain", "-f", ""}, ":0"},
      {"a state to compare", {"diff", ""}, ":0"},
      {"a later state", {"diff", "old.json", ""}, ":0"},
      {"no third state", {"diff", "old.json", "new.json", ""}, ":4"},
      {"reason codes", {"explain", "--code", "Partial"}, "PartialHost :4"},
      {"names of the kind",
       {"explain", "claim", "--snapshot=tests/cmd/objects.yaml", "-nml", "train-b"},
       "train-b :36"},
      {"names joined to the kind",
       {"explain", "--snapshot=tests/cmd/objects.yaml", "-nml", "pod/w"},
       "pod/with-claim :36"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    CHECK(complete(c.words) == c.want);
  }
}

TEST_CASE("no credential plugin runs, and nothing is said, while a line is completed") {
  const support::FakePlugin plugin;
  const support::TempDir home;
  support::FakeConsole console({.environment = {{"HOME", home.path()}, {"PATH", plugin.path()}}});
  home.write(".kube/kuberc", "not: used\n");
  home.write(".kube/config",
             "current-context: x\n"
             "contexts: [{name: x, context: {cluster: c, user: u}}]\n"
             "clusters: [{name: c, cluster: {server: 'https://127.0.0.1:1'}}]\n"
             "users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1beta1, "
             "command: " +
                 plugin.path() + "}}}]\n");
  CHECK(run_cli({"__complete", "claims", ""}, console.streams()) == ExitCode::Done);
  CHECK(console.out() == ":4\n");
  CHECK(console.err().empty());
  CHECK(plugin.runs() == 0);
}

TEST_CASE("a description is one clean line") {
  support::FakeConsole console;
  run_cli({"__complete", "devices", "--snapshot=tests/cmd/objects.yaml", "gpu-0"},
          console.streams());
  CHECK(console.out() == "gpu-0\tgpu\\n.example\\tcom^[[31m\n:4\n");
}

}  // namespace
}  // namespace dra::cmd::complete_test
