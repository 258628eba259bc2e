// src/engine/scheduler/node_signature.h
//
// What of a node decides how it stands towards a subject: the drivers of its pools, and of which
// kinds the devices of each of its slices are. Nodes with one signature differ in nothing but
// names, so that one of them is looked at for all.

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

  // Nothing where something counts that no signature has: pools that cannot be used, counters,
  // capacity, shares, what only some nodes know to do. Then the node is looked at by itself.
  std::optional<NodeSignature> of(const SeenPools& pools);

 private:
  // What is to be known of slices with one model.
  struct Model {
    std::uint64_t decisive = 0;              // the places of attributes that somebody asks for
    std::optional<std::uint32_t> make = {};  // of slices that are as the model there
  };
  using Numbers = std::unordered_map<NodeSignature, std::uint32_t, NodeSignatureHash>;

  void note_attributes(const Subject& subject);
  std::uint32_t kind_of(const api::ResourceSlice& slice);
  // False where something counts that has no place in it.
  bool describe(const api::ResourceSlice& slice, NodeSignature& out);
  // What the devices are, as a number of its own; kOfItsOwn where that cannot be told.
  std::uint32_t make_of(const api::ResourceSlice& slice);
  std::uint32_t look_at_make(const api::ResourceSlice& slice);
  bool describe_make(const PoolDevice& device, NodeSignature& out);
  // Who holds the devices, and what taints them.
  bool describe_state(const DeviceFacts& facts, NodeSignature& out);
  Model& known(const api::SliceModel& model);
  std::uint32_t number_of(std::string_view text);

  const Inventory& inventory_;
  const Demands& demands_;
  std::vector<std::string_view> attributes_;  // that constraints speak of
  bool simple_ = true;                        // what the subject asks for
  std::vector<std::uint32_t> kinds_;          // by the slice's number, as far as asked for
  Numbers known_kinds_;
  Numbers known_makes_;
  std::unordered_map<const api::SliceModel*, Model> models_;
  std::map<std::string, std::uint32_t, std::less<>> texts_;
  NodeSignature slice_;  // of one slice, reused
  NodeSignature make_;
};

}  // namespace dra::engine
