// cmd/complete/complete_names.h: names of objects for shell completion, read from the cluster or
// the files that the flags on the line name.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/command.h"
#include "cmd/nouns.h"
#include "dra/base/function_ref.h"
#include "dra/session/kubeconfig.h"

namespace dra::cmd {

struct Choice {
  std::string value;
  std::string description = {};
  std::string brief = {};  // of devices and pools: the short name, which need not be unique
};

// device.attributes["gpu.nvidia.com"].productName
struct CelName {
  std::string member;  // "attributes" or "capacity"
  std::string domain;  // "gpu.nvidia.com"
  std::string name;    // "productName"
};

// Reading is limited to one second; after that there are no names.
class CompletionNames {
 public:
  CompletionNames(const Console& console, GlobalFlags globals);

  // The names of objects of a noun, pods that wait before others. `typed` is the part of the name
  // that is already there.
  std::vector<Choice> of(Noun noun, std::string_view typed) const;
  std::vector<Choice> of(api::Kind workload) const { return objects(workload); }
  // Names without the driver, as --pool takes them.
  std::vector<Choice> pool_names() const;
  std::vector<Choice> node_pools() const;
  // Nodes, then node pools, as --add-node-like takes them.
  std::vector<Choice> nodes_and_pools() const;
  std::vector<Choice> namespaces() const;
  // Attributes and capacities that devices have, as `devices -L` takes them.
  std::vector<Choice> attributes() const;
  // The same as CEL has them.
  std::vector<CelName> cel_names() const;
  // Keys of labels that objects of these kinds have, as `-L` takes them.
  std::vector<Choice> labels(std::span<const api::Kind> kinds) const;
  // Of taints of devices, by their slices and by rules.
  std::vector<Choice> taint_keys() const;
  // Claims and pods that may hold devices, as `--without` takes them: "claim/NAMESPACE/NAME".
  std::vector<Choice> holders() const;
  // What claims hold devices for, as `top workloads` names it.
  std::vector<Choice> workloads() const;
  // Those of the kubeconfig; none if it cannot be read.
  session::KubeconfigNames kubeconfig() const;

 private:
  std::optional<snapshot::Snapshot> load(std::span<const snapshot::Need> needs) const;
  // Those of the kind that a list without further flags shows.
  void for_each_of(api::Kind kind, base::FunctionRef<void(const api::ObjectMeta&)> visit) const;
  std::vector<Choice> objects(api::Kind kind) const;
  std::vector<Choice> pods() const;
  std::vector<Choice> of_slices(
      base::FunctionRef<void(const api::ResourceSlice&, std::vector<Choice>&)> add) const;
  std::string current_namespace() const;

  GlobalFlags globals_;
  snapshot::Source source_;
};

}  // namespace dra::cmd
