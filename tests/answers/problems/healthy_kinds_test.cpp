// tests/answers/problems/healthy_kinds_test.cpp: generated clusters in which nothing is wrong, of
// what is less common: slices of TPUs over several hosts, sets of jobs and of leaders with workers,
// access of administrators, tolerated taints, queues, domains, quotas, budgets.

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/answers/explain/explanation.h"
#include "dra/answers/problems/overview.h"
#include "dra/engine/cluster/inventory.h"
#include "tests/answers/problems/problems_text.h"
#include "tests/support/seed.h"

namespace dra::answers::healthy_kinds_test {
namespace {

using problems::kNow;
using support::pick;

using Words = std::initializer_list<std::pair<std::string_view, std::string_view>>;

// The text with words such as $NAME replaced. A word is no beginning of another.
std::string filled(std::string_view text, Words words) {
  std::string out(text);
  for (const auto& [word, value] : words) {
    for (std::size_t at = 0; (at = out.find(word, at)) != std::string::npos; at += value.size())
      out.replace(at, word.size(), value);
  }
  return out;
}

constexpr std::string_view kNode = R"({apiVersion: v1, kind: Node, metadata: {name: $NAME,
  creationTimestamp: '2026-11-18T08:00:00Z', labels: {kubernetes.io/hostname: $NAME, $LABELS}},
  spec: {taints: [$TAINTS]}, status: {conditions: [{type: Ready, status: 'True'}], nodeInfo:
  {kubeletVersion: $KUBELET}, allocatable: {cpu: '64', memory: 512Gi, pods: '110'}}})";

constexpr std::string_view kPlugin = R"({apiVersion: v1, kind: Pod, metadata: {name: $APP-$NODE,
  namespace: drivers, uid: $APP-$NODE, labels: {app: $APP}, ownerReferences: [{apiVersion: apps/v1,
  kind: DaemonSet, name: $APP, uid: $APP, controller: true}]}, spec: {nodeName: $NODE, tolerations:
  [{operator: Exists}], containers: [{name: plugin, image: i}], volumes: [{name: plugin, hostPath:
  {path: /var/lib/kubelet/plugins/$DRIVER}}]}, status: {phase: Running, conditions: [{type: Ready,
  status: 'True'}], containerStatuses: [{name: plugin, ready: true, restartCount: $RESTARTS, state:
  {running: {startedAt: '2026-11-18T10:00:00Z'}}}]}})";

constexpr std::string_view kDaemonSet = R"({apiVersion: apps/v1, kind: DaemonSet, metadata: {name:
  $APP, namespace: drivers, uid: $APP}, spec: {selector: {matchLabels: {app: $APP}}, template:
  {metadata: {labels: {app: $APP}}, spec: {tolerations: [{operator: Exists}], containers: [{name:
  plugin, image: i}], volumes: [{name: plugin, hostPath: {path:
  /var/lib/kubelet/plugins/$DRIVER}}]}}}, status: {desiredNumberScheduled: $NODES,
  currentNumberScheduled: $NODES, updatedNumberScheduled: $NODES, numberAvailable: $NODES,
  numberReady: $NODES}})";

constexpr std::string_view kPod = R"({apiVersion: v1, kind: Pod, metadata: {name: $NAME, namespace:
  $SPACE, uid: $NAME, creationTimestamp: '2026-11-18T11:00:00Z', labels: {$LABELS},
  ownerReferences: [$OWNER]}, spec: {nodeName: $NODE, tolerations: [{operator: Exists}], containers:
  [{name: main, image: i, resources: {claims: [{name: c}]}}], resourceClaims: [{name: c,
  resourceClaimTemplateName: t}]}, status: {phase: Running, conditions: [{type: PodScheduled,
  status: 'True'}, {type: Ready, status: 'True'}], resourceClaimStatuses: [{name: c,
  resourceClaimName: $NAME-c}], containerStatuses: [{name: main, ready: true, restartCount: 0, state:
  {running: {startedAt: '2026-11-18T12:00:00Z'}}}]}})";

constexpr std::string_view kClaim = R"({apiVersion: resource.k8s.io/v1, kind: ResourceClaim,
  metadata: {name: $NAME-c, namespace: $SPACE, uid: $NAME-c, annotations:
  {resource.kubernetes.io/pod-claim-name: c}, finalizers: [resource.kubernetes.io/delete-protection],
  ownerReferences: [{apiVersion: v1, kind: Pod, name: $NAME, uid: $NAME, controller: true}]}, spec:
  {devices: {requests: [{name: r, $REQUEST}]}}, status: {allocation: {devices: {results:
  [$RESULTS]}, nodeSelector: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In,
  values: [$NODE]}]}]}}, reservedFor: [{resource: pods, name: $NAME, uid: $NAME}]}})";

constexpr std::string_view kTemplate = R"({apiVersion: resource.k8s.io/v1, kind:
  ResourceClaimTemplate, metadata: {name: t, namespace: $SPACE}, spec: {spec: {devices: {requests:
  [{name: r, $REQUEST}]}}}})";

constexpr std::string_view kPodTemplate = R"({metadata: {labels: {app: w}}, spec: {restartPolicy:
  $RESTART, tolerations: [{operator: Exists}], containers: [{name: main, image: i, resources:
  {claims: [{name: c}]}}], resourceClaims: [{name: c, resourceClaimTemplateName: t}]}})";

std::string owner(std::string_view version, std::string_view kind, std::string_view name) {
  return filled("{apiVersion: $VERSION, kind: $KIND, name: $NAME, uid: $NAME, controller: true}",
                {{"$VERSION", version}, {"$KIND", kind}, {"$NAME", name}});
}

// A driver with a pool on each of its nodes.
struct Fleet {
  std::string driver;
  std::string device_class;
  std::vector<std::string> nodes;
};

class Kinds {
 public:
  explicit Kinds(std::mt19937_64& random) : random_(random) {
    minor_ = 35 + pick(random_, 3);
    scene_.server(base::format("v1.{}.{}", minor_, pick(random_, 3)));
    if (one_in(2)) add_tpus();
    if (one_in(2)) add_workers();
    if (one_in(2)) add_watched();
    if (one_in(2)) add_tainted();
    if (one_in(2)) add_queued();
    if (one_in(2)) add_domain();
    if (one_in(2)) add_switch();
    if (one_in(2)) add_deployed();
  }

  const support::Scene& scene() const { return scene_; }
  const std::vector<std::pair<std::string, std::string>>& running() const { return running_; }

 private:
  bool one_in(std::uint64_t of) { return pick(random_, of) == 0; }

  void add(std::string_view text, Words words) { scene_.yaml(filled(text, words)); }

  void add_space(std::string_view name, std::string_view labels = "") {
    add("{apiVersion: v1, kind: Namespace, metadata: {name: $NAME, labels: {$LABELS}}, status: "
        "{phase: Active}}",
        {{"$NAME", name}, {"$LABELS", labels}});
  }

  Fleet fleet(std::string_view driver, std::string_view device_class, std::string_view stem,
              std::uint64_t nodes, std::string_view labels = "", std::string_view taints = "") {
    Fleet made{std::string(driver), std::string(device_class), {}};
    scene_.device_class(device_class, base::format("device.driver == '{}'", driver));
    const std::string app = base::format("{}-kubelet-plugin", stem);
    const std::string kubelet = base::format("v1.35.{}", pick(random_, 3));
    for (std::uint64_t i = 0; i < nodes; ++i) {
      made.nodes.push_back(base::format("{}-{}", stem, i));
      add(kNode, {{"$NAME", made.nodes.back()},
                  {"$LABELS", labels},
                  {"$TAINTS", taints},
                  {"$KUBELET", kubelet}});
      add(kPlugin, {{"$APP", app},
                    {"$NODE", made.nodes.back()},
                    {"$DRIVER", driver},
                    {"$RESTARTS", one_in(4) ? "1" : "0"}});
    }
    if (one_in(2))
      add(kDaemonSet, {{"$APP", app}, {"$DRIVER", driver}, {"$NODES", std::to_string(nodes)}});
    return made;
  }

  void slice(const Fleet& of, const std::string& node, const std::string& devices) {
    scene_.slice({.name = base::format("{}-{}", node, of.device_class),
                  .driver = of.driver,
                  .pool = node,
                  .where = "nodeName: " + node,
                  .devices = devices});
  }

  // A pod with a claim from template t of its namespace.
  void run(std::string_view name, std::string_view space, const std::string& node,
           std::string_view request, std::string_view results, std::string_view labels = "",
           std::string_view owned_by = "") {
    running_.emplace_back(space, name);
    add(kPod, {{"$NAME", name},
               {"$SPACE", space},
               {"$NODE", node},
               {"$LABELS", labels},
               {"$OWNER", owned_by}});
    add(kClaim, {{"$NAME", name},
                 {"$SPACE", space},
                 {"$NODE", node},
                 {"$REQUEST", request},
                 {"$RESULTS", results}});
  }

  void add_tpus();
  void add_workers();
  void add_watched();
  void add_tainted();
  void add_queued();
  void add_domain();
  void add_switch();
  void add_deployed();

  std::mt19937_64& random_;
  support::Scene scene_;
  std::uint64_t minor_ = 0;  // of the server's release
  std::vector<std::pair<std::string, std::string>> running_;
};

std::string result(const Fleet& of, std::string_view node, std::string_view device,
                   std::string_view more = "") {
  return filled("{request: r, driver: $DRIVER, pool: $NODE, device: $DEVICE$MORE}",
                {{"$DRIVER", of.driver}, {"$NODE", node}, {"$DEVICE", device}, {"$MORE", more}});
}

std::string asks(const Fleet& of, std::string_view more = "") {
  return filled("exactly: {deviceClassName: $CLASS$MORE}",
                {{"$CLASS", of.device_class}, {"$MORE", more}});
}

// A slice of TPUs with a host for each pod of a job; each pod has all chips of its host.
void Kinds::add_tpus() {
  const std::uint64_t hosts = std::uint64_t{2} << pick(random_, 2);
  const std::string grid = base::format("2x2x{}", hosts);
  const Fleet tpu = fleet(
      "tpu.google.com", "tpu.google.com", "tpu", hosts,
      filled(
          "cloud.google.com/gke-accelerator-count: '4', cloud.google.com/gke-nodepool: tpus, "
          "cloud.google.com/gke-tpu-accelerator: tpu-v5p-slice, "
          "cloud.google.com/gke-tpu-dra-driver: 'true', cloud.google.com/gke-tpu-topology: $GRID",
          {{"$GRID", grid}}),
      "{key: google.com/tpu, value: present, effect: NoSchedule}");
  add_space("train");
  const std::string request = asks(tpu, ", allocationMode: All");
  add(kTemplate, {{"$SPACE", "train"}, {"$REQUEST", request}});
  const bool used = !one_in(4);
  for (std::uint64_t host = 0; host < hosts; ++host) {
    const std::string& node = tpu.nodes[host];
    std::vector<std::string> chips;
    std::vector<std::string> results;
    for (int i = 0; i < 4; ++i) {
      chips.push_back(filled(
          "{name: '$I', attributes: {accelerator: {string: tpu-v5p-slice}, brand: {string: "
          "Google}, chipCount: {int: 4}, index: {int: $I}, topology: {string: $GRID}, tpuGen: "
          "{string: v5p}, uuid: {string: tpu-$NODE}}}",
          {{"$I", std::to_string(i)}, {"$GRID", grid}, {"$NODE", node}}));
      results.push_back(result(tpu, node, base::format("'{}'", i)));
    }
    slice(tpu, node, base::join(chips, ", "));
    if (used)
      run(base::format("max-slice-0-{}-abcde", host), "train", node, request,
          base::join(results, ", "),
          filled("job-name: max-slice-0, batch.kubernetes.io/job-completion-index: '$I', "
                 "jobset.sigs.k8s.io/jobset-name: max",
                 {{"$I", std::to_string(host)}}),
          owner("batch/v1", "Job", "max-slice-0"));
  }
  if (!used) return;
  const std::string pods = filled(kPodTemplate, {{"$RESTART", "Never"}});
  const std::string job = filled(
      "{parallelism: $N, completions: $N, completionMode: Indexed, "
      "template: $PODS}",
      {{"$N", std::to_string(hosts)}, {"$PODS", pods}});
  add("{apiVersion: batch/v1, kind: Job, metadata: {name: max-slice-0, namespace: train, uid: "
      "max-slice-0, labels: {jobset.sigs.k8s.io/jobset-name: max}, ownerReferences: [$OWNER]}, "
      "spec: $JOB, status: {active: $N, ready: $N}}",
      {{"$OWNER", owner("jobset.x-k8s.io/v1alpha2", "JobSet", "max")},
       {"$JOB", job},
       {"$N", std::to_string(hosts)}});
  add("{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: max, namespace: "
      "train, uid: max}, spec: {replicatedJobs: [{name: slice, replicas: 1, template: {spec: "
      "$JOB}}]}, status: {restarts: $RESTARTS, replicatedJobsStatus: [{name: slice, ready: 1, "
      "succeeded: 0, failed: 0, active: 1, suspended: 0}]}}",
      {{"$JOB", job}, {"$RESTARTS", one_in(2) ? "0" : "2"}});
}

// Leaders with workers: each group has a leader, which the set's StatefulSet makes, and workers.
void Kinds::add_workers() {
  const Fleet gpu = fleet("xpu.acme.com", "xpu", "serve", 3);
  add_space("serve");
  const std::string request = asks(gpu);
  add(kTemplate, {{"$SPACE", "serve"}, {"$REQUEST", request}});
  const std::string pods = filled(kPodTemplate, {{"$RESTART", "Always"}});
  for (std::uint64_t i = 0; i < 3; ++i) {
    slice(gpu, gpu.nodes[i], "{name: x-0}, {name: x-1}");
    run(i == 0 ? "chat-0" : base::format("chat-0-{}", i), "serve", gpu.nodes[i], request,
        result(gpu, gpu.nodes[i], "x-1"),
        filled("leaderworkerset.sigs.k8s.io/name: chat, leaderworkerset.sigs.k8s.io/group-index: "
               "'0', leaderworkerset.sigs.k8s.io/worker-index: '$I'",
               {{"$I", std::to_string(i)}}),
        owner("apps/v1", "StatefulSet", i == 0 ? "chat" : "chat-0"));
  }
  constexpr std::string_view set =
      "{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: $NAME, namespace: serve, uid: "
      "$NAME, ownerReferences: [$OWNER]}, spec: {replicas: $N, selector: {matchLabels: {app: w}}, "
      "template: $PODS}, status: {replicas: $N, readyReplicas: $N, availableReplicas: $N, "
      "updatedReplicas: $N}}";
  constexpr std::string_view version = "leaderworkerset.x-k8s.io/v1";
  add(set, {{"$NAME", "chat-0"},
            {"$OWNER", owner("v1", "Pod", "chat-0")},
            {"$N", "2"},
            {"$PODS", pods}});
  add(set, {{"$NAME", "chat"},
            {"$OWNER", owner(version, "LeaderWorkerSet", "chat")},
            {"$N", "1"},
            {"$PODS", pods}});
  add("{apiVersion: leaderworkerset.x-k8s.io/v1, kind: LeaderWorkerSet, metadata: {name: chat, "
      "namespace: serve, uid: chat}, spec: {replicas: 1, startupPolicy: $POLICY, "
      "leaderWorkerTemplate: {size: 3, leaderTemplate: $PODS, workerTemplate: $PODS}}, status: "
      "{replicas: 1, readyReplicas: 1, updatedReplicas: 1, conditions: [{type: Available, status: "
      "'True', reason: AllGroupsReady}]}}",
      {{"$POLICY", one_in(2) ? "LeaderReady" : "LeaderCreated"}, {"$PODS", pods}});
  if (one_in(2))
    add("{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: chat, namespace: "
        "serve}, spec: {maxUnavailable: 0, selector: {matchLabels: "
        "{leaderworkerset.sigs.k8s.io/name: chat}}}, status: {disruptionsAllowed: 0, "
        "currentHealthy: 3, desiredHealthy: 3, expectedPods: 3}}",
        {});
}

// What watches devices of others has access as an administrator, in a namespace with the label.
void Kinds::add_watched() {
  const Fleet gpu = fleet("watched.example.com", "watched", "seen", 1 + pick(random_, 2));
  add_space("monitoring", "resource.kubernetes.io/admin-access: 'true'");
  add_space("work");
  const std::string request = asks(gpu);
  const std::string all = asks(gpu, ", allocationMode: All, adminAccess: true");
  add(kTemplate, {{"$SPACE", "work"}, {"$REQUEST", request}});
  add(kTemplate, {{"$SPACE", "monitoring"}, {"$REQUEST", all}});
  for (const std::string& node : gpu.nodes) {
    slice(gpu, node, "{name: w-0}, {name: w-1}");
    if (one_in(2)) run("job-" + node, "work", node, request, result(gpu, node, "w-0"));
    run("watch-" + node, "monitoring", node, all,
        result(gpu, node, "w-0", ", adminAccess: true") + ", " +
            result(gpu, node, "w-1", ", adminAccess: true"),
        "", owner("apps/v1", "DaemonSet", "watch"));
  }
}

// A taint that keeps others away, by the driver or by a rule; the claim tolerates it.
void Kinds::add_tainted() {
  const Fleet gpu = fleet("spare.example.com", "spare", "spare", 1);
  const std::string& node = gpu.nodes.front();
  const std::string effect = one_in(2) ? "NoSchedule" : "NoExecute";
  constexpr std::string_view bears =
      ", tolerations: [{key: example.com/reserved, operator: Exists, effect: $EFFECT}]";
  const std::string tolerations = filled(bears, {{"$EFFECT", effect}});
  const std::string request = asks(gpu, tolerations);
  add_space("tests");
  add(kTemplate, {{"$SPACE", "tests"}, {"$REQUEST", request}});
  const bool by_rule = one_in(2);
  slice(gpu, node,
        by_rule ? std::string("{name: s-0}, {name: s-1}")
                : filled("{name: s-0, taints: [{key: example.com/reserved, value: tests, effect: "
                         "$EFFECT}]}, {name: s-1}",
                         {{"$EFFECT", effect}}));
  if (by_rule)
    scene_.taint_rule(
        "reserve",
        filled("driver: $DRIVER, pool: $NODE, device: s-0",
               {{"$DRIVER", gpu.driver}, {"$NODE", node}}),
        filled("key: example.com/reserved, value: tests, effect: $EFFECT", {{"$EFFECT", effect}}));
  run("probe", "tests", node, request, result(gpu, node, "s-0", tolerations));
}

// A job that a queue has admitted, and a quota with room.
void Kinds::add_queued() {
  const Fleet gpu = fleet("q.example.com", "queued", "queue", 1);
  const std::string& node = gpu.nodes.front();
  const std::string request = asks(gpu);
  add_space("queue");
  add(kTemplate, {{"$SPACE", "queue"}, {"$REQUEST", request}});
  slice(gpu, node, "{name: q-0}, {name: q-1}");
  run("fit-abcde", "queue", node, request, result(gpu, node, "q-0"),
      "kueue.x-k8s.io/queue-name: gpus, job-name: fit", owner("batch/v1", "Job", "fit"));
  add("{apiVersion: batch/v1, kind: Job, metadata: {name: fit, namespace: queue, uid: fit, labels: "
      "{kueue.x-k8s.io/queue-name: gpus}}, spec: {suspend: false, parallelism: 1, completions: 1, "
      "template: $PODS}, status: {active: 1, ready: 1}}",
      {{"$PODS", filled(kPodTemplate, {{"$RESTART", "Never"}})}});
  add("{apiVersion: kueue.x-k8s.io/v1beta1, kind: Workload, metadata: {name: job-fit, namespace: "
      "queue, uid: job-fit, ownerReferences: [$OWNER]}, spec: {active: true, queueName: gpus}, "
      "status: {conditions: [{type: QuotaReserved, status: 'True', reason: QuotaReserved, message: "
      "'Quota reserved in ClusterQueue all'}, {type: Admitted, status: 'True', reason: Admitted, "
      "message: The workload is admitted}]}}",
      {{"$OWNER", owner("batch/v1", "Job", "fit")}});
  if (one_in(2))
    add("{apiVersion: v1, kind: ResourceQuota, metadata: {name: q, namespace: queue}, spec: {hard: "
        "{queued.deviceclass.resource.k8s.io/devices: '2'}}, status: {hard: "
        "{queued.deviceclass.resource.k8s.io/devices: '2'}, used: "
        "{queued.deviceclass.resource.k8s.io/devices: '1'}}}",
        {});
}

// A domain of nodes whose daemons are all ready.
void Kinds::add_domain() {
  const Fleet gpu = fleet("chan.example.com", "chan", "dom", 2);
  const std::string request = asks(gpu);
  add_space("dom");
  add(kTemplate, {{"$SPACE", "dom"}, {"$REQUEST", request}});
  for (const std::string& node : gpu.nodes) {
    slice(gpu, node, "{name: channel-0}");
    run("nccl-" + node, "dom", node, request, result(gpu, node, "channel-0"));
  }
  add("{apiVersion: resource.nvidia.com/v1beta1, kind: ComputeDomain, metadata: {name: cd, "
      "namespace: dom, uid: cd, finalizers: [resource.nvidia.com/computeDomain]}, spec: {numNodes: "
      "2, channel: {resourceClaimTemplate: {name: t}}}, status: {status: Ready, nodes: [{name: "
      "dom-0, cliqueID: a.1, index: 0, status: Ready}, {name: dom-1, cliqueID: a.1, index: 1, "
      "status: Ready}]}}",
      {});
}

// Devices behind a switch: of all nodes, or of those with a label, or of each its own.
void Kinds::add_switch() {
  const Fleet net = fleet("fabric.example.com", "fabric", "sw", 1, "rack: r1");
  const std::string& node = net.nodes.front();
  add_space("fab");
  const std::string request = filled(
      "firstAvailable: [{name: many, deviceClassName: $CLASS, count: 9}, {name: one, "
      "deviceClassName: $CLASS}]",
      {{"$CLASS", net.device_class}});
  add(kTemplate, {{"$SPACE", "fab"}, {"$REQUEST", request}});
  const std::uint64_t kind = pick(random_, minor_ < 36 ? 2 : 3);  // the last is off before
  constexpr std::string_view rack =
      "nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: rack, operator: In, values: "
      "[r1]}]}]}";
  const std::string devices = kind < 2 ? "{name: f-0}, {name: f-1}"
                                       : base::format(
                                             "{{name: f-0, nodeName: {}}}, {{name: f-1, "
                                             "allNodes: true}}",
                                             node);
  scene_.slice({.name = "fabric",
                .driver = net.driver,
                .pool = "fabric",
                .generation = 1 + static_cast<int>(pick(random_, 4)),
                .where = kind == 0   ? std::string("allNodes: true")
                         : kind == 1 ? std::string(rack)
                                     : std::string("perDeviceNodeSelection: true"),
                .devices = devices});
  run("mesh", "fab", node, request,
      base::format("{{request: r/one, driver: {}, pool: fabric, device: f-0}}", net.driver));
}

// A Deployment after an update: the set of before has no pods; a pod that is done has none, too.
void Kinds::add_deployed() {
  const Fleet gpu = fleet("dep.example.com", "dep", "dep", 1);
  const std::string& node = gpu.nodes.front();
  const std::string request = asks(gpu);
  const std::string pods = filled(kPodTemplate, {{"$RESTART", "Always"}});
  add_space("web");
  add(kTemplate, {{"$SPACE", "web"}, {"$REQUEST", request}});
  slice(gpu, node, "{name: d-0}, {name: d-1}");
  run("web-2-abcde", "web", node, request, result(gpu, node, "d-0"), "app: w",
      owner("apps/v1", "ReplicaSet", "web-2"));
  constexpr std::string_view set =
      "{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: $NAME, namespace: web, uid: $NAME, "
      "ownerReferences: [$OWNER]}, spec: {replicas: $N, selector: {matchLabels: {app: w}}, "
      "template: $PODS}, status: {replicas: $N, readyReplicas: $N, availableReplicas: $N}}";
  const std::string deployment = owner("apps/v1", "Deployment", "web");
  add(set, {{"$NAME", "web-1"}, {"$OWNER", deployment}, {"$N", "0"}, {"$PODS", pods}});
  add(set, {{"$NAME", "web-2"}, {"$OWNER", deployment}, {"$N", "1"}, {"$PODS", pods}});
  add("{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: web, uid: web}, "
      "spec: {replicas: 1, selector: {matchLabels: {app: w}}, template: $PODS}, status: {replicas: "
      "1, readyReplicas: 1, updatedReplicas: 1, availableReplicas: 1, conditions: [{type: "
      "Available, status: 'True', reason: MinimumReplicasAvailable}, {type: Progressing, status: "
      "'True', reason: NewReplicaSetAvailable}]}}",
      {{"$PODS", pods}});
  if (one_in(2))
    add("{apiVersion: batch/v1, kind: CronJob, metadata: {name: nightly, namespace: web, uid: "
        "nightly}, spec: {schedule: '0 3 * * *', jobTemplate: {spec: {template: $PODS}}}}",
        {{"$PODS", filled(kPodTemplate, {{"$RESTART", "Never"}})}});
  if (one_in(2))
    add("{apiVersion: v1, kind: Pod, metadata: {name: going, namespace: web, uid: going, "
        "deletionTimestamp: '2026-11-18T17:46:50Z', deletionGracePeriodSeconds: 30}, spec: "
        "{nodeName: $NODE, containers: [{name: main, image: i}]}, status: {phase: Running}}",
        {{"$NODE", node}});
}

// The scene's own class has no device, and no pod asks for it.
std::string alarms_in(const std::vector<Problem>& problems) {
  std::vector<Problem> alarms;
  for (const Problem& problem : problems) {
    if (problem.finding.severity != diag::Severity::Hint) alarms.push_back(problem);
  }
  return problems::text_of(alarms);
}

TEST_CASE("healthy clusters of less common kinds are silent") {
  auto random = support::seeded();
  for (std::uint64_t i = 0; i < support::cases(250); ++i) {
    CAPTURE(i);
    const Kinds cluster(random);
    const auto snapshot = cluster.scene().build();
    const engine::Inventory inventory(snapshot);
    const Overview overview = overview_of({snapshot, inventory, kNow}, {});
    CHECK(alarms_in(overview.problems) == "");
    CHECK((overview.waiting && overview.waiting->empty()));
    for (const auto& [space, name] : cluster.running()) {
      CAPTURE(name);
      const Explanation explanation = explain_pod(snapshot, *snapshot.find<api::Pod>(space, name));
      CHECK(explanation.verdict == Verdict::Scheduled);
      CHECK_MESSAGE(!explanation.fails_after(), explanation.headline.text());
      if (pick(random, 3) == 0) break;
    }
  }
}

}  // namespace
}  // namespace dra::answers::healthy_kinds_test
