// src/engine/node_signature.h
//
// What of a node decides how it stands towards a subject: the drivers of its pools, and of which
// kind each of its devices is. Nodes with one signature differ in nothing but names, so that one
// of them is looked at for all.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dra/engine/demands.h"
#include "dra/engine/inventory.h"
#include "dra/engine/pod_claims.h"

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
  std::uint32_t kind_of(const PoolDevice& device);
  bool describe(const PoolDevice& device, NodeSignature& out);
  bool describe_values(const PoolDevice& device, NodeSignature& out);
  std::uint32_t number_of(std::string_view text);

  const Inventory& inventory_;
  const Demands& demands_;
  std::vector<std::string_view> attributes_;  // that constraints speak of
  bool simple_ = true;                        // what the subject asks for
  std::vector<std::uint32_t> kinds_;          // by the device's number, as far as asked for
  std::unordered_map<NodeSignature, std::uint32_t, NodeSignatureHash> known_kinds_;
  std::map<std::string, std::uint32_t, std::less<>> texts_;
  NodeSignature device_;  // of one device, reused
};

}  // namespace dra::engine
