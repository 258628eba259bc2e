// src/snapshot/train_jobs.cpp: TrainJobs wait for their runtimes, which may stand behind them, in
// another file or on the server.

#include "dra/api/train_job.h"

#include <algorithm>

#include "dra/base/text.h"
#include "dra/json/parse.h"
#include "dra/snapshot/builder.h"

namespace dra::snapshot {
namespace {

std::string namespace_of(const json::Value& object, std::string_view planned_in) {
  const json::Value* own = object.at({"metadata", "namespace"});
  return own != nullptr && !own->text().empty() ? own->text() : std::string(planned_in);
}

std::string name_in(const json::Value& object) {
  const json::Value* name = object.at({"metadata", "name"});
  return name == nullptr ? std::string("without a name") : name->text();
}

}  // namespace

api::RuntimeName Builder::runtime_wanted(const Unfinished& train_job) {
  return api::runtime_of(train_job.tree, namespace_of(train_job.tree, train_job.planned_in));
}

// The last of a name wins: manifests are laid over what files and the server have.
const Builder::Unfinished* Builder::find_runtime(const api::RuntimeName& name) const {
  const auto found =
      std::find_if(runtimes_.rbegin(), runtimes_.rend(), [&name](const Unfinished& runtime) {
        return api::name_of_runtime(runtime.tree, runtime.planned_in).is_named(name);
      });
  return found == runtimes_.rend() ? nullptr : &*found;
}

std::vector<api::RuntimeName> Builder::missing_runtimes() const {
  std::vector<api::RuntimeName> missing;
  for (const Unfinished& train_job : train_jobs_) {
    api::RuntimeName name = runtime_wanted(train_job);
    const bool known = std::ranges::any_of(
        missing, [&name](const api::RuntimeName& other) { return other.is_named(name); });
    if (!known && !name.name.empty() && find_runtime(name) == nullptr)
      missing.push_back(std::move(name));
  }
  return missing;
}

Result<Done> Builder::add_runtime(std::string_view text) {
  runtimes_.push_back({.tree = DRA_TRY(json::parse_json(text))});
  return Done{};
}

void Builder::warn_of_missing_runtime(const Unfinished& train_job) {
  const api::RuntimeName runtime = runtime_wanted(train_job);
  const std::string who = base::format("TrainJob {}", name_in(train_job.tree));
  if (runtime.name.empty()) {
    snapshot_.warnings_.push_back(
        base::format("{} is omitted: it names no runtime in spec.runtimeRef.name", who));
    return;
  }
  snapshot_.warnings_.push_back(base::format(
      "{} is omitted: its pods are described by {} {}, which was not found; pass a file with it, "
      "too",
      who, runtime.kind, runtime.name));
}

// A runtime by itself is a workload, too; but not one that a TrainJob uses.
void Builder::add_train_jobs() {
  std::vector<const Unfinished*> used;
  const auto add = [this](const Unfinished& one, const json::Value& tree) {
    planned_in_ = one.planned_in;
    json::Value made = tree;
    const auto read = json::read_tree(
        made, texts_->arena, [&](json::Cursor& root) { add_planned(root.reading(), made); });
    if (!read.ok())
      snapshot_.warnings_.push_back(
          base::format("{} is omitted: {}", name_in(tree), read.error().message));
    planned_in_.reset();
  };
  for (const Unfinished& train_job : train_jobs_) {
    const Unfinished* runtime = find_runtime(runtime_wanted(train_job));
    if (runtime == nullptr) {
      warn_of_missing_runtime(train_job);
      continue;
    }
    used.push_back(runtime);
    add(train_job, api::with_job_set(train_job.tree, runtime->tree));
  }
  for (const Unfinished& runtime : runtimes_) {
    if (runtime.planned && std::ranges::find(used, &runtime) == used.end())
      add(runtime, runtime.tree);
  }
  train_jobs_.clear();
}

}  // namespace dra::snapshot
