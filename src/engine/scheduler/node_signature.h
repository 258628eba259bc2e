// src/engine/scheduler/node_signature.h
//
// A number for everything that decides the result of a node: the drivers of its pools, and the
// kinds of the devices in each of its slices. Nodes with equal signatures differ in names only, so
// one of them is looked at for all.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dra/engine/cluster/inventory.h"
#include "dra/engine/scheduler/demands.h"
#include "dra/engine/scheduler/pod_claims.h"

namespace dra::engine {

using NodeSignature = std::vector<std::uint32_t>;
struct NodeSignatureHash {
  std::size_t operator()(const NodeSignature& signature) const;
};

class NodeSignatures {
 public:
  // All must outlive this object.
  NodeSignatures(const Inventory& inventory, const Demands& demands, const Subject& subject);

  // No value if something counts that a signature cannot hold: pools that cannot be used, counters,
  // capacity, shares, features of some nodes only. Then the node is looked at by itself.
  std::optional<NodeSignature> of(const SeenPools& pools);

 private:
  // Facts about slices with one model.
  struct Model {
    std::uint64_t decisive = 0;              // the bits of attributes that count
    std::optional<std::uint32_t> make = {};  // of slices that agree with the model in these
  };
  using Numbers = std::unordered_map<NodeSignature, std::uint32_t, NodeSignatureHash>;

  void note_attributes(const Subject& subject);
  std::uint32_t kind_of(const api::ResourceSlice& slice);
  // False: something counts that a signature cannot hold.
  bool describe(const api::ResourceSlice& slice, NodeSignature& out);
  // The number of what the devices are; kOfItsOwn: there is none.
  std::uint32_t make_of(const api::ResourceSlice& slice);
  std::uint32_t look_at_make(const api::ResourceSlice& slice);
  bool describe_make(const PoolDevice& device, NodeSignature& out);
  // How the devices are held and tainted.
  bool describe_state(const DeviceFacts& facts, NodeSignature& out);
  Model& known(const api::SliceModel& model);
  std::uint32_t number_of(std::string_view text);

  const Inventory& inventory_;
  const Demands& demands_;
  std::vector<std::string_view> attributes_;  // that constraints compare
  bool simple_ = true;                        // the subject's requests can be described
  std::vector<std::uint32_t> kinds_;          // by the slice's number; kNotAsked: not yet
  Numbers known_kinds_;
  Numbers known_makes_;
  std::unordered_map<const api::SliceModel*, Model> models_;
  std::map<std::string, std::uint32_t, std::less<>> texts_;
  NodeSignature slice_;  // scratch space, for one slice
  NodeSignature make_;
};

}  // namespace dra::engine
