// src/snapshot/subset.cpp: see subset.h.

#include "dra/snapshot/subset.h"

#include <algorithm>
#include <vector>

#include "dra/snapshot/builder.h"

namespace dra::snapshot {
namespace {

// By number: pools with a slice for one of the nodes, or for more than one node.
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
      : whole_(whole), wanted_(wanted), pools_(pools_seen(whole, wanted.nodes)) {}

  Snapshot build() {
    add_if<api::Node>([this](const api::Node& node) { return is_kept(node.meta.name); });
    add_if<api::ResourceSlice>(
        [this](const api::ResourceSlice& slice) { return pools_[slice.spec.pool.number]; });
    add_if<api::ResourceClaim>(
        [this](const api::ResourceClaim& claim) { return is_named(claim.meta) || holds(claim); });
    add_if<api::Pod>(
        [this](const api::Pod& pod) { return is_named(pod.meta) || is_kept(pod.spec.node_name); });
    add_if<api::ResourceClaimTemplate>([this](const api::ResourceClaimTemplate& one) {
      return one.meta.namespace_ == wanted_.namespace_;
    });
    add_if<api::DeviceClass>([](const api::DeviceClass&) { return true; });
    add_if<api::DeviceTaintRule>([](const api::DeviceTaintRule&) { return true; });
    builder_.set_server(whole_.server());
    builder_.set_coverage(whole_.coverage());
    if (whole_.taken()) builder_.set_taken(*whole_.taken());
    auto part = std::move(builder_).build();
    DRA_CHECK(part.ok());  // nothing in it is read
    return std::move(part).take();
  }

 private:
  template <class T, class F>
  void add_if(F is_wanted) {
    for (const T& object : whole_.all<T>()) {
      if (is_wanted(object)) builder_.add_copy(object);
    }
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
  Builder builder_;
};

}  // namespace

Snapshot subset_of(const Snapshot& whole, const SubsetScope& wanted) {
  return SubsetBuilder(whole, wanted).build();
}

}  // namespace dra::snapshot
