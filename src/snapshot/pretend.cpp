// src/snapshot/pretend.cpp: see pretend.h.

#include "dra/snapshot/pretend.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "dra/base/text.h"
#include "dra/snapshot/builder.h"

namespace dra::snapshot {
namespace {

// The names of the pod's claims, as far as they are known.
std::set<std::string_view> claims_of(const api::Pod& pod) {
  std::set<std::string_view> names;
  for (const api::PodClaim& claim : pod.spec.claims)
    names.insert(claim.claim_name);
  for (const api::PodClaimStatus& claim : pod.status.claims)
    names.insert(claim.claim_name.value_or(std::string_view()));
  names.erase(std::string_view());
  return names;
}

// The scheduler makes that claim where it puts the pod.
void forget_extended_resources(Snapshot& snapshot, api::Pod& pod) {
  if (!pod.status.extended_resource_claim) return;
  const std::string_view name = pod.status.extended_resource_claim->claim_name;
  std::erase_if(Builder::objects<api::ResourceClaim>(snapshot),
                [&](const api::ResourceClaim& claim) {
                  return claim.meta.namespace_ == pod.meta.namespace_ && claim.meta.name == name;
                });
  pod.status.extended_resource_claim.reset();
}

constexpr std::string_view kHostName = "kubernetes.io/hostname";
// Of Kubernetes' own taints, and those of autoscalers that are about to remove a node.
constexpr std::array kTaintsOfState = {
    "node.kubernetes.io/", "node.cloudprovider.kubernetes.io/", "ToBeDeletedByClusterAutoscaler",
    "DeletionCandidateOfClusterAutoscaler", "karpenter.sh/disrupted"};

bool tells_of_state(const api::NodeTaint& taint) {
  return std::ranges::any_of(kTaintsOfState,
                             [&taint](const char* start) { return taint.key.starts_with(start); });
}

// One more node, with all that comes along with it.
class NewNode {
 public:
  NewNode(Snapshot& snapshot, const api::Node& like, std::string_view suffix)
      : snapshot_(snapshot), like_(like), suffix_(suffix), name_(with_suffix(like.meta.name)) {}

  void add() {
    add_slices();
    add_daemons();
    api::Node node = like_;
    node.meta.name = name_;
    node.meta.uid = name_;
    for (auto& label : node.meta.labels) {
      if (label.key == kHostName) label.value = name_;
    }
    node.spec.unschedulable = false;
    std::erase_if(node.spec.taints, tells_of_state);
    Builder::objects<api::Node>(snapshot_).push_back(std::move(node));
  }

 private:
  std::string_view with_suffix(std::string_view name) {
    return Builder::keep(snapshot_, std::string(name) + std::string(suffix_));
  }

  void add_slices() {
    auto& slices = Builder::objects<api::ResourceSlice>(snapshot_);
    std::vector<api::ResourceSlice> copies;
    std::map<std::uint32_t, bool> shared;  // the pool has slices for others as well
    for (const api::ResourceSlice& slice : slices) {
      bool& with_others = shared[slice.spec.pool.number];
      with_others |= slice.spec.node_name != like_.meta.name;
      if (slice.spec.node_name == like_.meta.name) copies.push_back(slice);
    }
    for (api::ResourceSlice& copy : copies) {
      // The rest of a pool is not the new node's: what it has is a pool by itself.
      if (shared[copy.spec.pool.number])
        copy.spec.pool.slice_count = std::ranges::count_if(copies, [&copy](const auto& one) {
          return one.spec.driver == copy.spec.driver &&
                 one.spec.pool.number == copy.spec.pool.number &&
                 one.spec.pool.generation == copy.spec.pool.generation;
        });
    }
    for (api::ResourceSlice& copy : copies) {
      copy.meta.name = with_suffix(copy.meta.name);
      copy.spec.node_name = name_;
      copy.spec.pool.name = with_suffix(copy.spec.pool.name);
      slices.push_back(std::move(copy));
    }
  }

  void add_daemons() {
    auto& pods = Builder::objects<api::Pod>(snapshot_);
    std::vector<api::Pod> copies;
    for (const api::Pod& pod : pods) {
      const api::OwnerReference* owner = api::controller_of(pod.meta);
      const bool daemon = owner != nullptr && owner->kind == "DaemonSet";
      if (daemon && pod.spec.node_name == like_.meta.name) copies.push_back(pod);
    }
    for (api::Pod& copy : copies) {
      copy.meta.name = with_suffix(copy.meta.name);
      copy.meta.uid = copy.meta.name;
      copy.spec.node_name = name_;
      pods.push_back(std::move(copy));
    }
  }

  Snapshot& snapshot_;
  const api::Node& like_;
  std::string_view suffix_;
  std::string_view name_;
};

}  // namespace

void remove_pod(Snapshot& snapshot, std::string_view ns, std::string_view pod) {
  const api::Pod* found = snapshot.find<api::Pod>(ns, pod);
  if (found == nullptr) return;
  const std::string_view uid = found->meta.uid;
  pretend_pending(snapshot, ns, pod);
  std::erase_if(Builder::objects<api::ResourceClaim>(snapshot),
                [ns, uid](const api::ResourceClaim& claim) {
                  const api::OwnerReference* owner = api::controller_of(claim.meta);
                  return claim.meta.namespace_ == ns && owner != nullptr && owner->uid == uid;
                });
  std::erase_if(Builder::objects<api::Pod>(snapshot), [ns, pod](const api::Pod& one) {
    return one.meta.namespace_ == ns && one.meta.name == pod;
  });
}

void remove_claim(Snapshot& snapshot, std::string_view ns, std::string_view claim) {
  std::erase_if(Builder::objects<api::ResourceClaim>(snapshot),
                [ns, claim](const api::ResourceClaim& one) {
                  return one.meta.namespace_ == ns && one.meta.name == claim;
                });
}

bool complete_pool(Snapshot& snapshot, std::string_view driver, std::string_view pool) {
  auto& slices = Builder::objects<api::ResourceSlice>(snapshot);
  const auto is_of_it = [driver, pool](const api::ResourceSlice& slice) {
    return slice.spec.driver == driver && slice.spec.pool.name == pool;
  };
  std::int64_t newest = 0;
  std::int64_t count = 0;
  for (const api::ResourceSlice& slice : slices) {
    if (!is_of_it(slice) || slice.spec.pool.generation < newest) continue;
    count = slice.spec.pool.generation > newest ? 1 : count + 1;
    newest = slice.spec.pool.generation;
  }
  for (api::ResourceSlice& slice : slices) {
    if (is_of_it(slice) && slice.spec.pool.generation == newest)
      slice.spec.pool.slice_count = count;
  }
  return count > 0;
}

std::string name_of_node_like(std::string_view node, std::int64_t number) {
  return base::format("{}-like-{}", node, number);
}

void add_nodes_like(Snapshot& snapshot, std::string_view node, std::int64_t count) {
  const api::Node* found = snapshot.find<api::Node>(node);
  if (found == nullptr) return;
  const api::Node like = *found;  // as the list grows
  for (std::int64_t i = 1; i <= count; ++i)
    NewNode(snapshot, like, name_of_node_like("", i)).add();
  Builder::refresh(snapshot);
}

void pretend_pending(Snapshot& snapshot, std::string_view ns, std::string_view pod) {
  auto& pods = Builder::objects<api::Pod>(snapshot);
  const auto found = std::ranges::find_if(
      pods, [&](const api::Pod& one) { return one.meta.namespace_ == ns && one.meta.name == pod; });
  if (found == pods.end()) return;
  const std::set<std::string_view> names = claims_of(*found);
  for (api::ResourceClaim& claim : Builder::objects<api::ResourceClaim>(snapshot)) {
    if (claim.meta.namespace_ != ns || !names.contains(claim.meta.name)) continue;
    std::erase_if(claim.status.reserved_for, [&found](const api::Consumer& consumer) {
      return consumer.is_pod() && consumer.uid == found->meta.uid;
    });
    if (!claim.status.reserved_for.empty()) continue;
    claim.status.allocation.reset();
    claim.status.devices.clear();
  }
  forget_extended_resources(snapshot, *found);
  found->spec.node_name = {};
  found->meta.deleted.reset();
  std::erase_if(found->status.conditions,
                [](const api::Condition& condition) { return condition.type == "PodScheduled"; });
}

void pretend_unallocated(Snapshot& snapshot, std::string_view ns,
                         const std::vector<std::string>& claims) {
  for (api::ResourceClaim& claim : Builder::objects<api::ResourceClaim>(snapshot)) {
    const bool named = std::ranges::find(claims, claim.meta.name) != claims.end();
    if (!named || claim.meta.namespace_ != ns) continue;
    claim.status = {};
  }
}

}  // namespace dra::snapshot
