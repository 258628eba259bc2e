// include/dra/api/train_job.h
//
// A TrainJob has no pod template. It names a runtime, and its controller makes a JobSet from the
// template of that runtime, changed by fields of the TrainJob. Here the JobSet is made likewise, as
// far as it decides about pods and their number.
//
// Upstream: github.com/kubeflow/trainer, pkg/apis/trainer/v1alpha1; pkg/runtime/core,
// TrainingRuntime.RuntimeInfo; pkg/runtime/framework/plugins, jobset, plainml, torch and mpi.

#pragma once

#include <string>
#include <string_view>

#include "dra/json/value.h"

namespace dra::api {

// A TrainingRuntime, which has a namespace, or a ClusterTrainingRuntime, which has none.
struct RuntimeName {
  std::string api_version;
  std::string kind;
  std::string namespace_;
  std::string name;

  bool is_named(const RuntimeName& other) const;  // whatever the version
  std::string path() const;                       // of its URL on a server
};

bool is_train_job(std::string_view api_version, std::string_view kind);
bool is_training_runtime(std::string_view api_version, std::string_view kind);

// The runtime that a TrainJob asks for. `ns` is the namespace of the TrainJob.
RuntimeName runtime_of(const json::Value& train_job, std::string_view ns);
// The name of a runtime itself. `ns` counts where the object names no namespace.
RuntimeName name_of_runtime(const json::Value& runtime, std::string_view ns);

// The TrainJob with the spec of the JobSet that its controller makes.
json::Value with_job_set(const json::Value& train_job, const json::Value& runtime);

}  // namespace dra::api
