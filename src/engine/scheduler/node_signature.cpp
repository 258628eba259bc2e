// src/engine/scheduler/node_signature.cpp: numbers that say everything about a node but names.
//
// The idea. A fleet has thousands of nodes that differ in the names of nodes, pools, devices and
// claims only. What the scheduler decides about a node follows from its pools: in which order their
// slices and devices stand, what the subject's selectors say of each device, the attributes that
// constraints compare, whether a claim holds the device, and its taints. A signature lists exactly
// that. Nodes with equal signatures have equal results, but for names, which are exchanged by the
// places of devices (solved node).
//
// The order. A node is the list of its pools' slices, each a number for its kind. The kind of a
// slice is its make (what the devices are: answers and attributes) and its state (who holds and
// what taints them), device by device. Kinds and makes get numbers from maps of whole descriptions,
// not hashes, so equal numbers mean equal descriptions. A slice that follows a model, and differs
// from it in no attribute that counts, has the make of the model without a look at its devices.
//
// What is left out, and why that is sound. Names of objects decide nothing: the order of devices is
// in the signature, and claims that hold a device only matter by whether they do. Whatever else
// could count has no number and makes the node one of its own (kOfItsOwn, no value), to be looked
// at by itself: pools that are not complete, slices for other than a named node or all nodes,
// shared counters, binding conditions, shares, policies of capacity, node operations, attributes
// that are lists, devices that are not in the inventory. So does a subject that asks for capacity
// or derived attributes, or has a claim that is allocated already.
//
// Nothing here depends on the release: its quirks are about what has no number.

#include "src/engine/scheduler/node_signature.h"

#include <algorithm>
#include <bit>

#include "dra/api/device_models.h"
#include "dra/api/taint_rule.h"
#include "src/engine/scheduler/constraint.h"

namespace dra::engine {
namespace {

constexpr std::uint32_t kNotAsked = 0;
constexpr std::uint32_t kOfItsOwn = 1;
constexpr std::uint32_t kFirst = 2;

bool asks_for_more(const api::DeviceDemand& demand) {
  return demand.capacity.has_value() || !demand.derived.empty();
}

// The device has nothing that a signature cannot hold.
bool is_plain(const api::Device& device) {
  return device.consumes.empty() && device.binding_conditions.empty() &&
         !device.allow_multiple_allocations &&
         std::ranges::none_of(device.capacity, [](const auto& capacity) {
           return capacity.value.policy || capacity.value.value.text.starts_with('-');
         });
}

bool is_plain(const api::SliceSpec& slice) {
  const bool for_whole_nodes = !slice.node_name.empty() || slice.all_nodes;
  return for_whole_nodes && slice.skip_node_operations.empty();
}

// The model's value where it is the same: that one is in the processor's cache.
const api::DeviceAttribute* value_for(const api::Device& device, std::string_view driver,
                                      std::string_view name) {
  if (device.model == nullptr) return attribute_for(device, driver, name);
  const api::DeviceAttribute* found = attribute_for(*device.model, driver, name);
  const std::uint64_t place = api::place_of(device.model->attributes, found);
  if ((device.differs & place) == 0) return found;
  return &device.attributes[static_cast<std::size_t>(std::countr_zero(place))].value;
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
    : inventory_(inventory), demands_(demands), kinds_(inventory.numbers().slices(), kNotAsked) {
  note_attributes(subject);
  for_each_unmet(subject, [this](const SubjectClaim&, const api::DeviceRequest& request) {
    for (const api::NamedDemand& demand : api::demands_of(request))
      simple_ = simple_ && !asks_for_more(*demand.demand);
  });
}

void NodeSignatures::note_attributes(const Subject& subject) {
  for (const SubjectClaim& claim : subject.claims) {
    // An allocated claim fits some nodes only.
    if (claim.unmet() == nullptr) simple_ = false;
    if (claim.unmet() == nullptr) continue;
    for (const api::Constraint& constraint : claim.unmet()->devices.constraints) {
      for (const std::string_view name :
           {constraint.match_attribute, constraint.distinct_attribute}) {
        if (!name.empty()) attributes_.push_back(name);
      }
    }
  }
}

std::optional<NodeSignature> NodeSignatures::of(const SeenPools& pools) {
  if (!simple_) return std::nullopt;
  NodeSignature signature;
  for (const Pool& pool : pools) {
    if (pool.state != PoolState::Complete) return std::nullopt;
    signature.push_back(static_cast<std::uint32_t>(pool.slices.size()));
    for (const api::ResourceSlice* slice : pool.slices) {
      const std::uint32_t kind = kind_of(*slice);
      if (kind == kOfItsOwn) return std::nullopt;
      signature.push_back(kind);
    }
  }
  return signature;
}

std::uint32_t NodeSignatures::kind_of(const api::ResourceSlice& slice) {
  std::uint32_t& kind = kinds_[inventory_.numbers().of(slice)];
  if (kind != kNotAsked) return kind;
  slice_.clear();
  if (!describe(slice, slice_)) return kind = kOfItsOwn;
  const auto next = static_cast<std::uint32_t>(known_kinds_.size()) + kFirst;
  return kind = known_kinds_.try_emplace(slice_, next).first->second;
}

bool NodeSignatures::describe(const api::ResourceSlice& slice, NodeSignature& out) {
  if (!is_plain(slice.spec) || !demands_.knows(slice)) return false;
  const std::uint32_t make = make_of(slice);
  if (make == kOfItsOwn) return false;
  out.push_back(make);
  const auto facts = inventory_.facts(slice);
  return std::ranges::all_of(
      facts, [&, this](const DeviceFacts& of_device) { return describe_state(of_device, out); });
}

std::uint32_t NodeSignatures::make_of(const api::ResourceSlice& slice) {
  if (slice.spec.model == nullptr) return look_at_make(slice);
  Model& model = known(*slice.spec.model);
  if ((slice.spec.differs & model.decisive) != 0) return look_at_make(slice);
  if (!model.make) model.make = look_at_make(slice);
  return *model.make;
}

NodeSignatures::Model& NodeSignatures::known(const api::SliceModel& model) {
  const auto [known, is_new] = models_.try_emplace(&model);
  if (!is_new) return known->second;
  std::uint64_t& decisive = known->second.decisive;
  decisive = demands_.places_read(model);
  for (const api::Device& device : model.devices) {
    for (const std::string_view name : attributes_)
      decisive |= api::place_of(device.attributes, attribute_for(device, model.driver, name));
  }
  return known->second;
}

std::uint32_t NodeSignatures::look_at_make(const api::ResourceSlice& slice) {
  make_.clear();
  make_.push_back(number_of(slice.spec.driver));
  for (const api::Device& device : slice.spec.devices) {
    const bool plain = is_plain(device.model != nullptr ? *device.model : device);
    if (!plain || !describe_make({&slice, &device}, make_)) return kOfItsOwn;
  }
  const auto next = static_cast<std::uint32_t>(known_makes_.size()) + kFirst;
  return known_makes_.try_emplace(make_, next).first->second;
}

bool NodeSignatures::describe_state(const DeviceFacts& facts, NodeSignature& out) {
  const bool shared = std::ranges::any_of(
      facts.holders, [](const Holding& holding) { return holding.takes == Occupancy::Shared; });
  if (shared) return false;
  out.push_back(static_cast<std::uint32_t>(facts.occupancy) * 2 + (facts.held ? 1 : 0));
  out.push_back(static_cast<std::uint32_t>(facts.taints.size()));
  for (const DeviceTaintOf& taint : facts.taints) {
    const std::string_view rule = taint.rule == nullptr ? "" : taint.rule->meta.name;
    for (const std::string_view text :
         {taint.taint->key, taint.taint->value, taint.taint->effect, rule})
      out.push_back(number_of(text));
  }
  return true;
}

bool NodeSignatures::describe_make(const PoolDevice& device, NodeSignature& out) {
  if (!demands_.add_answers(device, out)) return false;
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
