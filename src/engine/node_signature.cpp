// src/engine/node_signature.cpp: see node_signature.h.

#include "src/engine/node_signature.h"

#include <algorithm>

#include "src/engine/constraint.h"

namespace dra::engine {
namespace {

constexpr std::uint32_t kNotAsked = 0;
constexpr std::uint32_t kOfItsOwn = 1;
constexpr std::uint32_t kFirstKind = 2;

bool asks_for_more(const api::DeviceDemand& demand) {
  return demand.capacity.has_value() || !demand.derived.empty();
}

// What a device may have that its kind does not tell.
bool is_plain(const PoolDevice& published) {
  const api::SliceSpec& slice = published.slice->spec;
  const api::Device* model = published.device->model;
  const api::Device& device = model != nullptr ? *model : *published.device;
  const bool for_whole_nodes = !slice.node_name.empty() || slice.all_nodes;
  return for_whole_nodes && slice.skip_node_operations.empty() && device.consumes.empty() &&
         device.binding_conditions.empty() && !device.allow_multiple_allocations &&
         std::ranges::none_of(device.capacity, [](const auto& capacity) {
           return capacity.value.policy || capacity.value.value.text.starts_with('-');
         });
}

// Where the model has the same value, the model's: it is at hand.
const api::DeviceAttribute* value_for(const api::Device& device, std::string_view driver,
                                      std::string_view name) {
  if (device.model == nullptr) return attribute_for(device, driver, name);
  const auto& attributes = device.model->attributes;
  const api::DeviceAttribute* found = attribute_for(*device.model, driver, name);
  for (std::size_t place = 0; place < attributes.size(); ++place) {
    const bool differs = ((device.differs >> place) & 1) != 0;
    if (&attributes[place].value == found && differs) return &device.attributes[place].value;
  }
  return found;
}

}  // namespace

std::size_t NodeSignatureHash::operator()(const NodeSignature& signature) const {
  std::size_t hash = signature.size();
  for (const std::uint32_t part : signature) {
    hash = (hash ^ part) * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 29;
  }
  return hash;
}

NodeSignatures::NodeSignatures(const Inventory& inventory, const Demands& demands,
                               const Subject& subject)
    : inventory_(inventory), demands_(demands), kinds_(inventory.numbers().size(), kNotAsked) {
  for (const SubjectClaim& claim : subject.claims) {
    // Where it is allocated, and where not, is told of each node.
    if (claim.unmet() == nullptr) simple_ = false;
    if (claim.unmet() == nullptr) continue;
    for (const api::Constraint& constraint : claim.unmet()->devices.constraints) {
      for (const std::string_view name :
           {constraint.match_attribute, constraint.distinct_attribute}) {
        if (!name.empty()) attributes_.push_back(name);
      }
    }
  }
  for_each_unmet(subject, [this](const SubjectClaim&, const api::DeviceRequest& request) {
    for (const api::NamedDemand& demand : api::demands_of(request))
      simple_ = simple_ && !asks_for_more(*demand.demand);
  });
}

std::optional<NodeSignature> NodeSignatures::of(const SeenPools& pools) {
  if (!simple_) return std::nullopt;
  NodeSignature signature;
  for (const Pool& pool : pools) {
    if (pool.state != PoolState::Complete) return std::nullopt;
    signature.push_back(number_of(pool.driver));
    signature.push_back(static_cast<std::uint32_t>(pool.devices.size()));
    for (const PoolDevice& device : pool.devices) {
      const std::uint32_t kind = kind_of(device);
      if (kind == kOfItsOwn) return std::nullopt;
      signature.push_back(kind);
    }
  }
  return signature;
}

std::uint32_t NodeSignatures::kind_of(const PoolDevice& device) {
  std::uint32_t& kind = kinds_[inventory_.numbers().of(device)];
  if (kind != kNotAsked) return kind;
  device_.clear();
  if (!is_plain(device) || !describe(device, device_)) return kind = kOfItsOwn;
  const auto next = static_cast<std::uint32_t>(known_kinds_.size()) + kFirstKind;
  return kind = known_kinds_.try_emplace(device_, next).first->second;
}

bool NodeSignatures::describe(const PoolDevice& device, NodeSignature& out) {
  const DeviceFacts& facts = inventory_.facts(device);
  const bool shared = std::ranges::any_of(facts.holders, [this](const Holding& holding) {
    return inventory_.usage().taken_by(holding) == Occupancy::Shared;
  });
  if (shared || !demands_.add_answers(device, out)) return false;
  out.push_back(static_cast<std::uint32_t>(facts.occupancy));
  out.push_back(facts.held ? 1 : 0);
  out.push_back(static_cast<std::uint32_t>(facts.taints.size()));
  for (const DeviceTaintOf& taint : facts.taints) {
    for (const std::string_view text : {taint.taint->key, taint.taint->value, taint.taint->effect})
      out.push_back(number_of(text));
  }
  return describe_values(device, out);
}

bool NodeSignatures::describe_values(const PoolDevice& device, NodeSignature& out) {
  using Kind = api::DeviceAttribute::Kind;
  for (const std::string_view name : attributes_) {
    const api::DeviceAttribute* value = value_for(*device.device, device.slice->spec.driver, name);
    out.push_back(value == nullptr ? 0 : 1 + static_cast<std::uint32_t>(value->kind()));
    if (value == nullptr) continue;
    switch (value->kind()) {
      case Kind::Int: {
        const auto number = static_cast<std::uint64_t>(value->as_int());
        out.push_back(static_cast<std::uint32_t>(number));
        out.push_back(static_cast<std::uint32_t>(number >> 32));
        break;
      }
      case Kind::Bool:
        out.push_back(value->as_bool() ? 1 : 0);
        break;
      case Kind::String:
      case Kind::Version:
        out.push_back(number_of(value->text()));
        break;
      default:
        return false;
    }
  }
  return true;
}

std::uint32_t NodeSignatures::number_of(std::string_view text) {
  const auto known = texts_.find(text);
  if (known != texts_.end()) return known->second;
  const auto next = static_cast<std::uint32_t>(texts_.size());
  return texts_.emplace(std::string(text), next).first->second;
}

}  // namespace dra::engine
