// src/api/pod_templates.cpp: the table of kinds that make pods, and the walk along its paths.

#include "dra/api/pod_templates.h"

#include <algorithm>
#include <array>

#include "dra/api/kinds.h"
#include "dra/base/text.h"

namespace dra::api {
namespace {

using json::Value;

constexpr std::array kTemplates = {
    TemplatePlace{"ClusterTrainingRuntime", "trainer.kubeflow.org",
                  "spec.template.spec.replicatedJobs.[].template.spec.template"},
    TemplatePlace{"CronJob", "batch", "spec.jobTemplate.spec.template"},
    TemplatePlace{"DaemonSet", "apps", "spec.template"},
    TemplatePlace{"Deployment", "apps", "spec.template"},
    TemplatePlace{"JAXJob", "kubeflow.org", "spec.jaxReplicaSpecs.{}.template"},
    TemplatePlace{"Job", "batch", "spec.template"},
    TemplatePlace{"Job", "batch.volcano.sh", "spec.tasks.[].template"},
    TemplatePlace{"JobSet", "jobset.x-k8s.io", "spec.replicatedJobs.[].template.spec.template"},
    TemplatePlace{"LeaderWorkerSet", "leaderworkerset.x-k8s.io",
                  "spec.leaderWorkerTemplate.leaderTemplate", "leader"},
    TemplatePlace{"LeaderWorkerSet", "leaderworkerset.x-k8s.io",
                  "spec.leaderWorkerTemplate.workerTemplate", "worker"},
    TemplatePlace{"MPIJob", "kubeflow.org", "spec.mpiReplicaSpecs.{}.template"},
    TemplatePlace{"PaddleJob", "kubeflow.org", "spec.paddleReplicaSpecs.{}.template"},
    TemplatePlace{"PodCliqueSet", "grove.io", "spec.template.cliques.[].spec.podSpec", {}, true},
    TemplatePlace{"PodTemplate", "", "template"},
    TemplatePlace{"PyTorchJob", "kubeflow.org", "spec.pytorchReplicaSpecs.{}.template"},
    TemplatePlace{"RayCluster", "ray.io", "spec.headGroupSpec.template", "head"},
    TemplatePlace{"RayCluster", "ray.io", "spec.workerGroupSpecs.[].template"},
    TemplatePlace{"RayJob", "ray.io", "spec.rayClusterSpec.headGroupSpec.template", "head"},
    TemplatePlace{"RayJob", "ray.io", "spec.rayClusterSpec.workerGroupSpecs.[].template"},
    TemplatePlace{"RayJob", "ray.io", "spec.submitterPodTemplate", "submitter"},
    TemplatePlace{"RayService", "ray.io", "spec.rayClusterConfig.headGroupSpec.template", "head"},
    TemplatePlace{"RayService", "ray.io", "spec.rayClusterConfig.workerGroupSpecs.[].template"},
    TemplatePlace{"ReplicaSet", "apps", "spec.template"},
    TemplatePlace{"StatefulSet", "apps", "spec.template"},
    TemplatePlace{"TFJob", "kubeflow.org", "spec.tfReplicaSpecs.{}.template"},
    TemplatePlace{"TrainingRuntime", "trainer.kubeflow.org",
                  "spec.template.spec.replicatedJobs.[].template.spec.template"},
    TemplatePlace{"XGBoostJob", "kubeflow.org", "spec.xgbReplicaSpecs.{}.template"},
};

class Walk {
 public:
  Walk(const TemplatePlace& place, std::vector<PodPlace>& found) : place_(place), found_(found) {}

  void go(Value& at, std::span<const std::string_view> steps, const std::string& role,
          const Value& holder) {
    if (steps.empty()) return add(at, role, holder);
    const auto rest = steps.subspan(1);
    if (steps.front() == "[]") {
      for (std::size_t i = 0; i < at.items().size(); ++i) {
        Value& item = at.items()[i];
        std::string name = item.string_at("name");
        if (name.empty()) name = item.string_at("groupName");
        go(item, rest, name.empty() ? std::to_string(i + 1) : name, at);
      }
    } else if (steps.front() == "{}") {
      for (json::Member& member : at.members())
        go(member.value, rest, base::lower(member.key), at);
    } else if (Value* next = at.find(steps.front())) {
      go(*next, rest, role, at);
    }
  }

 private:
  void add(Value& at, const std::string& role, const Value& holder) {
    Value* spec = place_.is_spec ? &at : at.find("spec");
    const Value* metadata = place_.is_spec ? nullptr : at.find("metadata");
    if (spec != nullptr) found_.push_back({spec, role, &holder, metadata});
  }

  const TemplatePlace& place_;
  std::vector<PodPlace>& found_;
};

bool is_of(const TemplatePlace& place, std::string_view api_version, std::string_view kind) {
  return place.kind == kind && place.group == group_of(api_version);
}

constexpr std::string_view kNimGroup = "apps.nvidia.com";
constexpr std::string_view kNimService = "NIMService";

void copy(const Value& from, std::initializer_list<std::string_view> keys, Value& to) {
  for (const std::string_view key : keys) {
    if (const Value* value = from.find(key)) to.set(std::string(key), *value);
  }
}

}  // namespace

std::span<const TemplatePlace> pod_template_places() { return kTemplates; }

std::string kinds_with_pod_templates() {
  std::vector<std::string> kinds;
  for (const TemplatePlace& place : kTemplates) {
    if (std::ranges::find(kinds, place.kind) == kinds.end()) kinds.emplace_back(place.kind);
  }
  const std::string last = kinds.back();
  kinds.pop_back();
  return base::format("{} and {}", base::join(kinds, ", "), last);
}

bool makes_pods(std::string_view api_version, std::string_view kind) {
  return std::ranges::any_of(
      kTemplates, [&](const TemplatePlace& place) { return is_of(place, api_version, kind); });
}

std::vector<PodPlace> pod_places(Value& object) {
  const std::string kind = object.string_at("kind");
  const std::string api_version = object.string_at("apiVersion");
  std::vector<PodPlace> found;
  if (kind == info_of(Kind::Pod).name && api_version == "v1") {
    if (Value* spec = object.find("spec"))
      found.push_back({spec, {}, &object, object.find("metadata")});
  }
  for (const TemplatePlace& place : kTemplates) {
    if (!is_of(place, api_version, kind)) continue;
    const auto steps = base::split(place.path, '.');
    Walk(place, found).go(object, steps, std::string(place.role), object);
  }
  return found;
}

std::optional<DescribedPods> described_pods(const Value& object) {
  const Value* spec = object.find("spec");
  if (object.string_at("kind") != kNimService || spec == nullptr ||
      group_of(object.string_at("apiVersion")) != kNimGroup)
    return std::nullopt;
  Value claims = Value::array();
  Value used = Value::array();
  const Value* wanted = spec->find("draResources");
  for (std::size_t i = 0; wanted != nullptr && i < wanted->items().size(); ++i) {
    Value claim = Value::object();
    claim.set("name", base::format("claim-{}", i));
    used.items().push_back(claim);
    copy(wanted->items()[i], {"resourceClaimName", "resourceClaimTemplateName"}, claim);
    claims.items().push_back(std::move(claim));
  }
  Value resources = Value::object();
  if (const Value* own = spec->find("resources")) resources = *own;
  resources.set("claims", std::move(used));
  Value container = Value::object();
  container.set("name", "nim");
  container.set("resources", std::move(resources));
  Value pod = Value::object();
  copy(*spec, {"nodeSelector", "tolerations", "affinity", "runtimeClassName", "schedulerName"},
       pod);
  pod.set("containers", Value::array({std::move(container)}));
  pod.set("resourceClaims", std::move(claims));
  DescribedPods pods{Value::object(), Value::object()};
  pods.pod_template.set("spec", std::move(pod));
  copy(*spec, {"replicas"}, pods.counts);
  return pods;
}

}  // namespace dra::api
