// src/checks/fields/pod_templates.cpp: the table of kinds that make pods.

#include "dra/checks/fields/pod_templates.h"

#include <array>

namespace dra::checks {
namespace {

constexpr std::array kTemplates = {
    TemplatePlace{"CronJob", "batch", "spec.jobTemplate.spec.template"},
    TemplatePlace{"DaemonSet", "apps", "spec.template"},
    TemplatePlace{"Deployment", "apps", "spec.template"},
    TemplatePlace{"Job", "batch", "spec.template"},
    TemplatePlace{"JobSet", "jobset.x-k8s.io", "spec.replicatedJobs.[].template.spec.template"},
    TemplatePlace{"LeaderWorkerSet", "leaderworkerset.x-k8s.io",
                  "spec.leaderWorkerTemplate.leaderTemplate", "leader"},
    TemplatePlace{"LeaderWorkerSet", "leaderworkerset.x-k8s.io",
                  "spec.leaderWorkerTemplate.workerTemplate", "worker"},
    TemplatePlace{"MPIJob", "kubeflow.org", "spec.mpiReplicaSpecs.{}.template"},
    TemplatePlace{"RayCluster", "ray.io", "spec.headGroupSpec.template", "head"},
    TemplatePlace{"RayCluster", "ray.io", "spec.workerGroupSpecs.[].template"},
    TemplatePlace{"ReplicaSet", "apps", "spec.template"},
    TemplatePlace{"StatefulSet", "apps", "spec.template"},
};

}  // namespace

std::span<const TemplatePlace> pod_template_places() { return kTemplates; }

std::string_view group_of(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  return slash == std::string_view::npos ? std::string_view() : api_version.substr(0, slash);
}

}  // namespace dra::checks
