// src/engine/whatif/hypothesis_nodes.cpp: the changes with which nodes come and go. Each takes the
// state with it as the new base. See hypothesis.h.

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "dra/engine/whatif/hypothesis.h"

#include "dra/api/cluster_objects.h"
#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "dra/engine/facts/full_name.h"
#include "dra/engine/whatif/drain.h"
#include "src/engine/whatif/added_nodes.h"

namespace dra::engine {
namespace {

Result<const api::Node*> existing_node(const snapshot::Snapshot& snapshot, std::string_view name) {
  const auto* node = snapshot.find<api::Node>(name);
  if (node != nullptr) return node;
  return Error{.kind = ErrorKind::NotFound,
               .message = base::format("nodes \"{}\" not found", name),
               .hint = "see `kubectl dra nodes`"};
}

Error taken(const JoinNodes& change, const std::string& what, std::string hint) {
  return {.kind = ErrorKind::BadInput,
          .message = base::format("{}: {} exists already", change.file, what),
          .hint = std::move(hint)};
}

// A slice of a pool that is there would be a part of it, or end it by a newer generation.
Result<Done> check_new(const snapshot::Snapshot& snapshot, const JoinNodes& change) {
  for (const api::Node& node : change.objects->all<api::Node>()) {
    if (snapshot.find<api::Node>(node.meta.name) != nullptr)
      return taken(change, base::format("node {}", node.meta.name),
                   base::format("give it another name, or add --remove-node {}", node.meta.name));
  }
  std::set<std::pair<std::string_view, std::string_view>> pools;
  for (const api::ResourceSlice& slice : snapshot.all<api::ResourceSlice>())
    pools.emplace(slice.spec.driver, slice.spec.pool.name);
  for (const api::ResourceSlice& slice : change.objects->all<api::ResourceSlice>()) {
    const std::string_view name = slice.meta.name;
    const std::string_view node = slice.spec.node_name;
    if (snapshot.find<api::ResourceSlice>(name) != nullptr)
      return taken(change, base::format("slice {}", name), "give it another name");
    if (pools.contains({slice.spec.driver, slice.spec.pool.name}))
      return taken(change,
                   base::format("slice {}: pool {} of driver {}", name, slice.spec.pool.name,
                                slice.spec.driver),
                   "give the pool another name in spec.pool.name");
    const bool there = node.empty() || snapshot.find<api::Node>(node) != nullptr ||
                       change.objects->find<api::Node>(node) != nullptr;
    if (!there)
      return Error{.kind = ErrorKind::BadInput,
                   .message = base::format("{}: spec.nodeName of slice {}: there is no node {}",
                                           change.file, name, node),
                   .hint = "add the Node to the file"};
  }
  return Done{};
}

}  // namespace

void Hypothesis::end_pods(std::span<const api::Pod* const> pods) {
  Release release;
  for (const api::Pod* pod : pods)
    release.pods.push_back(full_name(pod->meta));
  // They are there, as they are of the base.
  DRA_CHECK(make(release).ok());
}

Result<Done> Hypothesis::make(const AddNode& change) {
  const api::Node* like = DRA_TRY(existing_node(base(), change.like));
  snapshot::Draft draft = this->draft();
  add_nodes_like(draft, *like, change.count);
  rebase(std::move(draft));
  return Done{};
}

Result<Done> Hypothesis::make(const RemoveNode& change) {
  rebase(draft());
  DRA_TRY(existing_node(base(), change.node));
  std::vector<const api::Pod*> pods;
  for (const api::Pod& pod : base().all<api::Pod>()) {
    if (pod.spec.node_name == change.node) pods.push_back(&pod);
  }
  end_pods(pods);
  snapshot::Draft draft = this->draft();
  draft.remove_if<api::Node>(
      [&change](const api::Node& node) { return node.meta.name == change.node; });
  draft.remove_if<api::ResourceSlice>(
      [&change](const api::ResourceSlice& slice) { return slice.spec.node_name == change.node; });
  rebase(std::move(draft));
  return Done{};
}

Result<Done> Hypothesis::make(const JoinNodes& change) {
  DRA_TRY(check_new(base(), change));
  snapshot::Draft draft = this->draft();
  draft.share_texts(*change.objects);
  draft.add(change.objects->all<api::Node>());
  draft.add(change.objects->all<api::ResourceSlice>());
  rebase(std::move(draft));
  return Done{};
}

Result<Done> Hypothesis::make(const Drain& change) {
  rebase(draft());
  for (const std::string& node : change.nodes)
    DRA_TRY(existing_node(base(), node));
  std::vector<const api::Pod*> leaving;
  std::vector<api::Pod> again;
  for (const DrainedPod& drained : drained_pods(base(), change.nodes)) {
    if (stays(drained.fate)) continue;
    leaving.push_back(drained.pod);
    if (drained.fate == DrainFate::Recreated) again.push_back(*drained.pod);
  }
  end_pods(leaving);
  snapshot::Draft draft = this->draft();
  cordon(draft, change.nodes);
  make_again(draft, std::move(again));
  rebase(std::move(draft));
  return Done{};
}

}  // namespace dra::engine
