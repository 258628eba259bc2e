// src/snapshot/subset.cpp: copies nodes, slices, claims and pods that the nodes can see, and shares
// classes and taint rules.

#include "dra/snapshot/subset.h"

#include <algorithm>
#include <vector>

#include "dra/api/cluster_objects.h"
#include "dra/api/device_class.h"
#include "dra/api/pod.h"
#include "dra/api/taint_rule.h"
#include "dra/snapshot/draft.h"

namespace dra::snapshot {
namespace {

// True, by number of the pool, for pools with a slice for one of the nodes, or for several nodes.
std::vector<bool> pools_seen(const Snapshot& whole, const std::set<std::string_view>& nodes) {
  std::vector<bool> seen(whole.pools().names().size());
  for (const api::ResourceSlice& slice : whole.all<api::ResourceSlice>()) {
    const std::string_view node = slice.spec.node_name;
    if (node.empty() || nodes.contains(node)) seen[slice.spec.pool.number] = true;
  }
  return seen;
}

class SubsetBuilder {
 public:
  SubsetBuilder(const Snapshot& whole, const SubsetScope& wanted)
      : whole_(whole),
        wanted_(wanted),
        pools_(pools_seen(whole, wanted.nodes)),
        draft_(Draft::without_objects(whole)) {}

  Snapshot build() {
    copy_if<api::Node>([this](const api::Node& node) { return is_kept(node.meta.name); });
    copy_if<api::ResourceSlice>(
        [this](const api::ResourceSlice& slice) { return pools_[slice.spec.pool.number]; });
    copy_if<api::ResourceClaim>(
        [this](const api::ResourceClaim& claim) { return is_named(claim.meta) || holds(claim); });
    copy_if<api::Pod>([this](const api::Pod& pod) {
      const std::string_view node =
          pod.spec.node_name.empty() ? pod.status.nominated_node : pod.spec.node_name;
      return is_named(pod.meta) || is_kept(node);
    });
    copy_if<api::ResourceClaimTemplate>([this](const api::ResourceClaimTemplate& one) {
      return one.meta.namespace_ == wanted_.namespace_;
    });
    draft_.share<api::DeviceClass>(whole_);
    draft_.share<api::DeviceTaintRule>(whole_);
    draft_.share_further(whole_);
    return std::move(draft_).finish();
  }

 private:
  template <class T, class F>
  void copy_if(F is_wanted) {
    draft_.copy_if<T>(whole_, is_wanted);
  }

  bool is_kept(std::string_view node) const { return wanted_.nodes.contains(node); }
  bool is_named(const api::ObjectMeta& meta) const {
    return meta.namespace_ == wanted_.namespace_ &&
           (wanted_.whole_namespace || wanted_.names.contains(meta.name));
  }
  bool holds(const api::ResourceClaim& claim) const {
    return claim.allocated() && std::ranges::any_of(claim.status.allocation->devices.results,
                                                    [this](const api::AllocationResultItem& one) {
                                                      return pools_[one.pool_number];
                                                    });
  }

  const Snapshot& whole_;
  const SubsetScope& wanted_;
  std::vector<bool> pools_;
  Draft draft_;
};

}  // namespace

Snapshot subset_of(const Snapshot& whole, const SubsetScope& wanted) {
  return SubsetBuilder(whole, wanted).build();
}

}  // namespace dra::snapshot
