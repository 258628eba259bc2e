// src/api/train_job.cpp: the JobSet of a TrainJob.

#include "dra/api/train_job.h"

#include <algorithm>
#include <array>
#include <optional>

#include "dra/api/kinds.h"
#include "dra/base/text.h"
#include "dra/json/go_number.h"

namespace dra::api {
namespace {

using json::Value;

constexpr std::string_view kTrainerGroup = "trainer.kubeflow.org";
constexpr std::string_view kClusterRuntime = "ClusterTrainingRuntime";
constexpr std::string_view kNamespacedRuntime = "TrainingRuntime";
// On the template of a Job: what part of the training it is.
constexpr std::string_view kStepLabel = "trainer.kubeflow.org/trainjob-ancestor-step";
constexpr std::string_view kTrainerStep = "trainer";
// Names of Jobs and of containers.
constexpr std::string_view kNode = "node";
constexpr std::string_view kLauncher = "launcher";

const Value* child(const Value* object, std::string_view key) {
  return object == nullptr ? nullptr : object->find(key);
}

std::optional<std::int64_t> integer_of(const Value* value) {
  if (value == nullptr || !value->is(json::Kind::Number)) return std::nullopt;
  const auto number = json::go_number(value->text());
  const auto* integer = number ? std::get_if<std::int64_t>(&*number) : nullptr;
  return integer == nullptr ? std::nullopt : std::optional(*integer);
}

// Lists whose items a patch changes by a key; other lists it replaces.
std::string_view merge_key(std::string_view list) {
  constexpr std::array<std::string_view, 6> by_name = {
      "containers", "initContainers", "volumes", "env", "imagePullSecrets", "schedulingGates"};
  if (std::ranges::find(by_name, list) != by_name.end()) return "name";
  return list == "volumeMounts" ? "mountPath" : std::string_view();
}

void merge(Value& into, const Value& patch);

void merge_items(Value& list, const Value& patch, std::string_view key) {
  for (const Value& change : patch.items()) {
    const std::string& name = change.string_at(key);
    const auto same = std::ranges::find_if(
        list.items(), [&](const Value& item) { return item.string_at(key) == name; });
    if (same == list.items().end()) {
      list.push(change);
    } else {
      merge(*same, change);
    }
  }
}

void merge(Value& into, const Value& patch) {
  for (const json::Member& member : patch.members()) {
    Value* old = into.find(member.key);
    if (member.value.is(json::Kind::Null)) {
      into.remove(member.key);
    } else if (old != nullptr && old->is(json::Kind::Object) &&
               member.value.is(json::Kind::Object)) {
      merge(*old, member.value);
    } else if (old != nullptr && !merge_key(member.key).empty()) {
      merge_items(*old, member.value, merge_key(member.key));
    } else {
      into.set(member.key, member.value);
    }
  }
}

Value& object_in(Value& object, std::string_view key) {
  Value* found = object.find(key);
  return found != nullptr ? *found : object.set(std::string(key), Value::object());
}

class JobOfRuntime {
 public:
  JobOfRuntime(Value& job, const Value& train_job, const Value& runtime)
      : job_(job),
        name_(job.string_at("name")),
        wanted_(train_job.find("spec")),
        trainer_(child(wanted_, "trainer")),
        policy_(runtime.at({"spec", "mlPolicy"})),
        mpi_(child(policy_, "mpi")) {}

  void change() {
    apply_overrides();
    apply_patches();
    set_counts();
    set_resources();
  }

 private:
  // Releases up to v2.1 have overrides of pods.
  void apply_overrides() {
    const Value* overrides = child(wanted_, "podTemplateOverrides");
    if (overrides == nullptr) return;
    for (const Value& one : overrides->items()) {
      const Value* targets = one.find("targetJobs");
      if (targets == nullptr || std::ranges::none_of(targets->items(), [this](const Value& target) {
            return target.string_at("name") == name_;
          }))
        continue;
      Value patch = one;
      patch.remove("targetJobs");
      merge(pod_template(), patch);
    }
  }

  // Later releases have patches of Jobs, one list for each manager.
  void apply_patches() {
    const Value* patches = child(wanted_, "runtimePatches");
    if (patches == nullptr) return;
    for (const Value& one : patches->items()) {
      const Value* jobs = one.at({"trainingRuntimeSpec", "template", "spec", "replicatedJobs"});
      if (jobs == nullptr) continue;
      for (const Value& patch : jobs->items()) {
        const Value* of_job = patch.find("template");
        if (of_job != nullptr && patch.string_at("name") == name_)
          merge(object_in(job_, "template"), *of_job);
      }
    }
  }

  std::optional<std::int64_t> nodes_wanted() const {
    return integer_of(child(trainer_, "numNodes"));
  }
  bool launcher_trains() const {
    const Value* trains = child(mpi_, "runLauncherAsNode");
    return trains != nullptr && trains->text() == "true";
  }

  // Of a Job that trains. Without a policy the template says how many pods it has.
  std::int64_t trainer_pods() const {
    if (mpi_ == nullptr && nodes_wanted()) return *nodes_wanted();
    const Value* count = policy_ != nullptr ? policy_->find("numNodes")
                                            : job_.at({"template", "spec", "parallelism"});
    return integer_of(count).value_or(1);
  }

  void set_counts() {
    const std::string step = job_.string_at({"template", "metadata", "labels", kStepLabel});
    if (!step.empty()) job_.set("replicas", 1);
    std::optional<std::int64_t> pods;
    if (step == kTrainerStep) pods = trainer_pods();
    // With MPI the other pods are those of the Job `node`; the launcher may be the first of them.
    if (mpi_ != nullptr && name_ == kNode && nodes_wanted())
      pods = launcher_trains() ? std::max<std::int64_t>(*nodes_wanted() - 1, 1) : *nodes_wanted();
    if (!pods) return;
    Value& spec = object_in(object_in(job_, "template"), "spec");
    spec.set("parallelism", *pods);
    spec.set("completions", *pods);
  }

  // What the TrainJob asks for takes the place of all that the container had, claims included.
  void set_resources() {
    const Value* wanted = child(trainer_, "resourcesPerNode");
    Value* containers = object_in(pod_template(), "spec").find("containers");
    if (wanted == nullptr || containers == nullptr) return;
    Value resources = Value::object();
    for (const char* part : {"limits", "requests"}) {
      if (const Value* amounts = wanted->find(part)) resources.set(part, *amounts);
    }
    if (resources.members().empty()) return;
    for (Value& container : containers->items()) {
      const std::string name = container.string_at("name");
      if (name == kNode || (name == kLauncher && launcher_trains()))
        container.set("resources", resources);
    }
  }

  Value& pod_template() {
    return object_in(object_in(object_in(job_, "template"), "spec"), "template");
  }

  Value& job_;
  std::string name_;
  const Value* wanted_;
  const Value* trainer_;
  const Value* policy_;
  const Value* mpi_;
};

}  // namespace

bool RuntimeName::is_named(const RuntimeName& other) const {
  return kind == other.kind && namespace_ == other.namespace_ && name == other.name;
}

std::string RuntimeName::path() const {
  const std::string where =
      namespace_.empty() ? std::string() : base::format("namespaces/{}/", namespace_);
  return base::format("/apis/{}/{}{}s/{}", api_version, where, base::lower(kind),
                      base::url_escape(name));
}

bool is_train_job(std::string_view api_version, std::string_view kind) {
  return kind == "TrainJob" && group_of(api_version) == kTrainerGroup;
}

bool is_training_runtime(std::string_view api_version, std::string_view kind) {
  return (kind == kClusterRuntime || kind == kNamespacedRuntime) &&
         group_of(api_version) == kTrainerGroup;
}

RuntimeName runtime_of(const Value& train_job, std::string_view ns) {
  RuntimeName runtime{.api_version = train_job.string_at("apiVersion"),
                      .kind = train_job.string_at({"spec", "runtimeRef", "kind"}),
                      .namespace_ = {},
                      .name = train_job.string_at({"spec", "runtimeRef", "name"})};
  if (runtime.kind.empty()) runtime.kind = kClusterRuntime;
  if (runtime.kind == kNamespacedRuntime) runtime.namespace_ = ns;
  return runtime;
}

RuntimeName name_of_runtime(const Value& runtime, std::string_view ns) {
  const std::string& own = runtime.string_at({"metadata", "namespace"});
  RuntimeName name{.api_version = runtime.string_at("apiVersion"),
                   .kind = runtime.string_at("kind"),
                   .namespace_ = {},
                   .name = runtime.string_at({"metadata", "name"})};
  if (name.kind == kNamespacedRuntime) name.namespace_ = own.empty() ? ns : std::string_view(own);
  return name;
}

Value with_job_set(const Value& train_job, const Value& runtime) {
  Value made = train_job;
  const Value* job_set = runtime.at({"spec", "template", "spec"});
  Value spec = job_set != nullptr ? *job_set : Value::object();
  if (Value* jobs = spec.find("replicatedJobs")) {
    for (Value& job : jobs->items())
      JobOfRuntime(job, train_job, runtime).change();
  }
  spec.remove("suspend");
  if (const Value* suspend = train_job.at({"spec", "suspend"})) spec.set("suspend", *suspend);
  made.set("spec", std::move(spec));
  return made;
}

}  // namespace dra::api
