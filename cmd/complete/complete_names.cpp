// cmd/complete/complete_names.cpp: loads only the kind whose names are needed, quietly and with a
// short timeout. Devices and pools are offered by their short name where it is unique.

#include "cmd/complete/complete_names.h"

#include <algorithm>
#include <map>
#include <set>

#include "dra/api/cluster_objects.h"
#include "dra/api/pod.h"
#include "dra/api/slice.h"
#include "dra/api/taint_rule.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/inventory.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/cluster/pods.h"
#include "dra/report/top/top.h"
#include "dra/snapshot/select.h"

namespace dra::cmd {
namespace {

// The user waits for a key press.
constexpr std::string_view kPatience = "1s";

// The short name where it is unique, else the whole name, as `describe` accepts them. Where `typed`
// is the start of a whole name, completion continues with the whole name.
std::vector<Choice> unique_names(std::vector<Choice> choices, std::string_view typed) {
  if (typed.find('/') != std::string_view::npos) return choices;
  std::map<std::string, std::set<std::string>> owners;  // short name -> whole names
  for (const Choice& choice : choices)
    owners[choice.brief].insert(choice.value);
  for (Choice& choice : choices) {
    if (owners[choice.brief].size() == 1) choice.value = choice.brief;
  }
  return choices;
}

}  // namespace

CompletionNames::CompletionNames(const Console& console, GlobalFlags globals)
    : globals_(std::move(globals)) {
  globals_.connection.request_timeout = kPatience;
  globals_.verbosity = 0;
  source_ = Context(console, globals_, {}).source();
  source_.environment.run_plugins = false;
  // Nothing is printed; and what these would print to is gone with the Context.
  source_.on_progress = nullptr;
  source_.client.http.on_warning = nullptr;
  source_.client.http.log = {};
}

std::vector<Choice> CompletionNames::of(Noun noun, std::string_view typed) const {
  switch (noun) {
    case Noun::Devices:
      return unique_names(
          of_slices([](const api::ResourceSlice& slice, std::vector<Choice>& out) {
            for (const api::Device& device : slice.spec.devices)
              out.push_back(
                  {base::format("{}/{}/{}", slice.spec.driver, slice.spec.pool.name, device.name),
                   std::string(slice.spec.driver), std::string(device.name)});
          }),
          typed);
    case Noun::Drivers:
      return of_slices([](const api::ResourceSlice& slice, std::vector<Choice>& out) {
        out.push_back({std::string(slice.spec.driver)});
      });
    case Noun::Pools:
      return unique_names(
          of_slices([](const api::ResourceSlice& slice, std::vector<Choice>& out) {
            out.push_back({base::format("{}/{}", slice.spec.driver, slice.spec.pool.name),
                           std::string(slice.spec.driver), std::string(slice.spec.pool.name)});
          }),
          typed);
    case Noun::Pods:
      return pods();
    case Noun::Slices:
      return of_slices([](const api::ResourceSlice& slice, std::vector<Choice>& out) {
        out.push_back({std::string(slice.meta.name), std::string(slice.spec.driver)});
      });
    default:
      return objects(*info_of(noun).kind);
  }
}

std::vector<Choice> CompletionNames::pool_names() const {
  auto choices = of(Noun::Pools, "/");
  for (Choice& choice : choices)
    choice.value = choice.brief;
  return choices;
}

std::vector<Choice> CompletionNames::node_pools() const {
  auto choices = nodes_and_pools();
  std::erase_if(choices, [](const Choice& choice) { return choice.description.empty(); });
  for (Choice& choice : choices)
    choice.description.clear();
  return choices;
}

std::vector<Choice> CompletionNames::nodes_and_pools() const {
  const snapshot::Need need{.kind = api::Kind::Node};
  std::vector<Choice> out;
  std::set<std::string_view> pools;
  const auto snapshot = load({&need, 1});
  if (!snapshot) return out;
  for (const api::Node& node : snapshot->all<api::Node>())
    out.push_back({std::string(node.meta.name)});
  for (const api::Node& node : snapshot->all<api::Node>()) {
    const std::string_view pool = engine::node_pool_of(node);
    if (!pool.empty() && pools.insert(pool).second) out.push_back({std::string(pool), "node pool"});
  }
  return out;
}

// Recordings often have objects of a namespace but no Namespace object.
std::vector<Choice> CompletionNames::namespaces() const {
  auto choices = objects(api::Kind::Namespace);
  if (!choices.empty() || source_.live()) return choices;
  const std::vector<snapshot::Need> needs{{.kind = api::Kind::Claim}, {.kind = api::Kind::Pod}};
  const auto snapshot = load(needs);
  if (!snapshot) return choices;
  for (const auto& claim : snapshot->all<api::ResourceClaim>())
    choices.push_back({std::string(claim.meta.namespace_)});
  for (const auto& pod : snapshot->all<api::Pod>())
    choices.push_back({std::string(pod.meta.namespace_)});
  return choices;
}

std::optional<snapshot::Snapshot> CompletionNames::load(
    std::span<const snapshot::Need> needs) const {
  // Standard input is the terminal of the user who is typing.
  if (std::ranges::find(source_.files, "-") != source_.files.end()) return std::nullopt;
  auto snapshot = snapshot::load(source_, needs);
  if (!snapshot.ok()) return std::nullopt;
  return std::move(snapshot).take();
}

std::vector<Choice> CompletionNames::objects(api::Kind kind) const {
  std::vector<Choice> out;
  for_each_of(kind,
              [&out](const api::ObjectMeta& meta) { out.push_back({std::string(meta.name)}); });
  return out;
}

std::vector<Choice> CompletionNames::labels(std::span<const api::Kind> kinds) const {
  std::set<std::string> keys;
  for (const api::Kind kind : kinds) {
    for_each_of(kind, [&keys](const api::ObjectMeta& meta) {
      for (const auto& label : meta.labels)
        keys.emplace(label.key);
    });
  }
  std::vector<Choice> out;
  out.reserve(keys.size());
  for (const std::string& key : keys)
    out.push_back({key});
  return out;
}

void CompletionNames::for_each_of(api::Kind kind,
                                  base::FunctionRef<void(const api::ObjectMeta&)> visit) const {
  const std::string ns = api::info_of(kind).namespaced ? current_namespace() : std::string();
  const snapshot::Need need{.kind = kind, .namespace_ = ns};
  const auto snapshot = load({&need, 1});
  if (!snapshot) return;
  const auto found = snapshot::select(*snapshot, need);
  if (!found.ok()) return;
  for (const snapshot::ObjectRef& object : found.value())
    visit(*object.meta);
}

// Pods without claims are left out, as in every list of pods.
std::vector<Choice> CompletionNames::pods() const {
  const snapshot::Need need{.kind = api::Kind::Pod, .namespace_ = current_namespace()};
  std::vector<Choice> out;
  const auto snapshot = load({&need, 1});
  if (!snapshot) return out;
  const auto add = [&](const api::Pod& pod) {
    if (pod.meta.namespace_ == need.namespace_)
      out.push_back({std::string(pod.meta.name), std::string(pod.status.phase)});
  };
  const auto waiting = engine::waiting_pods(*snapshot);
  const std::set<const api::Pod*> added(waiting.begin(), waiting.end());
  for (const api::Pod* pod : waiting)
    add(*pod);
  for (const api::Pod& pod : snapshot->all<api::Pod>()) {
    if (engine::uses_claims(pod) && !added.contains(&pod)) add(pod);
  }
  return out;
}

std::vector<Choice> CompletionNames::attributes() const {
  std::vector<Choice> out;
  std::set<std::string_view> seen;
  const snapshot::Need need{.kind = api::Kind::Slice};
  const auto snapshot = load({&need, 1});
  if (!snapshot) return out;
  const auto add = [&](std::string_view name, std::string_view driver) {
    if (seen.insert(name).second) out.push_back({std::string(name), std::string(driver)});
  };
  for (const api::ResourceSlice& slice : snapshot->all<api::ResourceSlice>()) {
    for (const api::Device& device : slice.spec.devices) {
      for (const auto& [name, value] : device.attributes)
        add(name, slice.spec.driver);
      for (const auto& [name, value] : device.capacity)
        add(name, slice.spec.driver);
    }
  }
  return out;
}

std::vector<CelName> CompletionNames::cel_names() const {
  std::vector<CelName> out;
  std::set<std::string> seen;
  const snapshot::Need need{.kind = api::Kind::Slice};
  const auto snapshot = load({&need, 1});
  if (!snapshot) return out;
  const auto add = [&](std::string_view member, std::string_view name, std::string_view driver) {
    const std::size_t slash = name.find('/');
    const bool qualified = slash != std::string_view::npos;
    const CelName one{std::string(member), std::string(qualified ? name.substr(0, slash) : driver),
                      std::string(qualified ? name.substr(slash + 1) : name)};
    if (seen.insert(base::format("{} {} {}", one.member, one.domain, one.name)).second)
      out.push_back(one);
  };
  for (const api::ResourceSlice& slice : snapshot->all<api::ResourceSlice>()) {
    for (const api::Device& device : slice.spec.devices) {
      for (const auto& [name, value] : device.attributes)
        add("attributes", name, slice.spec.driver);
      for (const auto& [name, value] : device.capacity)
        add("capacity", name, slice.spec.driver);
    }
  }
  return out;
}

std::vector<Choice> CompletionNames::taint_keys() const {
  std::vector<Choice> out;
  const std::vector<snapshot::Need> needs{{.kind = api::Kind::Slice},
                                          {.kind = api::Kind::TaintRule, .aside = true}};
  const auto snapshot = load(needs);
  if (!snapshot) return out;
  for (const api::DeviceTaintRule& rule : snapshot->all<api::DeviceTaintRule>())
    out.push_back({std::string(rule.spec.taint.key)});
  for (const api::ResourceSlice& slice : snapshot->all<api::ResourceSlice>()) {
    for (const api::Device& device : slice.spec.devices) {
      for (const api::DeviceTaint& taint : device.taints)
        out.push_back({std::string(taint.key)});
    }
  }
  return out;
}

std::vector<Choice> CompletionNames::holders() const {
  std::vector<Choice> out;
  const snapshot::Need need{.kind = api::Kind::Claim};
  const auto snapshot = load({&need, 1});
  if (!snapshot) return out;
  for (const api::ResourceClaim& claim : snapshot->all<api::ResourceClaim>()) {
    if (!claim.status.allocation) continue;
    const std::string_view ns = claim.meta.namespace_;
    out.push_back({base::format("claim/{}/{}", ns, claim.meta.name)});
    for (const api::Consumer& consumer : claim.status.reserved_for) {
      if (consumer.is_pod()) out.push_back({base::format("pod/{}/{}", ns, consumer.name)});
    }
  }
  return out;
}

std::vector<Choice> CompletionNames::workloads() const {
  const std::string& ns = globals_.connection.namespace_;
  std::vector<Choice> out;
  // Names need no slices, of which there may be many.
  const std::vector<snapshot::Need> needs{
      {.kind = api::Kind::Claim, .namespace_ = ns},
      {.kind = api::Kind::Pod, .namespace_ = ns},
      {.kind = api::Kind::Job, .namespace_ = ns, .aside = true}};
  const auto snapshot = load(needs);
  if (!snapshot) return out;
  const engine::Inventory inventory(*snapshot);
  const auto top = report::top_of({*snapshot, inventory, {}}, report::TopBy::Workloads);
  for (const report::WorkloadTop& workload : top.workloads) {
    if (ns.empty() || workload.namespace_ == ns) out.push_back({workload.name, workload.kind});
  }
  return out;
}

session::KubeconfigNames CompletionNames::kubeconfig() const {
  auto names = session::kubeconfig_names(globals_.connection, source_.environment);
  return names.ok() ? std::move(names).take() : session::KubeconfigNames();
}

std::vector<Choice> CompletionNames::of_slices(
    base::FunctionRef<void(const api::ResourceSlice&, std::vector<Choice>&)> add) const {
  std::vector<Choice> out;
  const snapshot::Need need{.kind = api::Kind::Slice};
  const auto snapshot = load({&need, 1});
  if (!snapshot) return out;
  for (const api::ResourceSlice& slice : snapshot->all<api::ResourceSlice>())
    add(slice, out);
  return out;
}

std::string CompletionNames::current_namespace() const {
  const auto ns = snapshot::default_namespace(source_);
  return ns.ok() ? ns.value() : "default";
}

}  // namespace dra::cmd
