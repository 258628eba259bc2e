// include/dra/api/pod_templates.h
//
// Where objects that make pods have their pod templates: those of Kubernetes, and those of add-ons.
// The one table of them; what reads, checks or converts pods asks here.
//
// Upstream: sigs.k8s.io/jobset, sigs.k8s.io/lws, github.com/ray-project/kuberay (apis/ray/v1),
// github.com/kubeflow/trainer (v1 and v2alpha1), github.com/kubeflow/mpi-operator (v2beta1),
// volcano.sh/apis (batch/v1alpha1), github.com/ai-dynamo/grove (core/v1alpha1).

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/json/value.h"

namespace dra::api {

struct TemplatePlace {
  std::string_view kind;
  std::string_view group;
  std::string_view path;       // [] for the items of a list, {} for the entries of a map
  std::string_view role = {};  // of these pods in the object, if no field names it
  bool is_spec = false;        // the path leads to the spec of a pod, not to a template with one
};

std::span<const TemplatePlace> pod_template_places();
// Their kinds, each once, for a sentence: "CronJob, DaemonSet and Job".
std::string kinds_with_pod_templates();
bool makes_pods(std::string_view api_version, std::string_view kind);

// The spec of a pod in an object.
struct PodPlace {
  json::Value* spec;
  std::string role;                       // the role of these pods in the object
  const json::Value* holder = nullptr;    // the object that has the template as a field
  const json::Value* metadata = nullptr;  // of the template; nullptr: it has none
};

// The pod itself, or the templates of an object that makes pods, in the order of the table. Points
// into the object.
std::vector<PodPlace> pod_places(json::Value& object);

// Pods that an object describes in fields of its own, without a template.
struct DescribedPods {
  json::Value pod_template;
  json::Value counts;  // with the field `replicas`
};
// Of a NIMService (github.com/NVIDIA/k8s-nim-operator, apps/v1alpha1). No value: the object is of
// another kind.
std::optional<DescribedPods> described_pods(const json::Value& object);

}  // namespace dra::api
