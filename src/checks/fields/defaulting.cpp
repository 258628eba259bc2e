// src/checks/fields/defaulting.cpp: three passes over an object: unknown fields, defaults by kind,
// gates by the table kGated.

#include "dra/checks/fields/defaulting.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "dra/api/upgrade.h"
#include "dra/base/text.h"
#include "dra/diag/codes.h"
#include "src/checks/fields/objects_below.h"

namespace dra::checks {
namespace {

using engine::Gate;
using json::Value;

constexpr std::string_view kV1Beta1 = "v1beta1";

// --- defaults

bool is_blank(const Value* value) {
  return value == nullptr || value->is(json::Kind::Null) ||
         (value->is(json::Kind::String) && value->text().empty());
}

bool is_zero(const Value* value) {
  return value == nullptr || value->is(json::Kind::Null) || value->text() == "0";
}

void complete_demand(Value& demand) {
  if (!demand.is(json::Kind::Object)) return;
  if (is_blank(demand.find("allocationMode"))) demand.set("allocationMode", "ExactCount");
  const Value* mode = demand.find("allocationMode");
  if (mode->text() == "ExactCount" && is_zero(demand.find("count"))) {
    const json::Position position =
        demand.find("count") != nullptr ? demand.find("count")->position() : demand.position();
    demand.set("count", 1).set_position(position);
  }
}

void complete_tolerations(Value& demand) {
  Value* list = demand.is(json::Kind::Object) ? demand.find("tolerations") : nullptr;
  if (list == nullptr) return;
  for (Value& toleration : list->items()) {
    if (toleration.is(json::Kind::Null)) toleration = Value::object();
    const bool is_object = toleration.is(json::Kind::Object);
    if (is_object && is_blank(toleration.find("operator"))) toleration.set("operator", "Equal");
  }
}

void complete_request(Value& request, std::string_view version) {
  if (Value* exactly = request.find("exactly")) {
    // In v1beta1 a request without a class gets no defaults.
    const bool has_defaults = version != kV1Beta1 || !is_blank(exactly->find("deviceClassName"));
    if (has_defaults) complete_demand(*exactly);
    complete_tolerations(*exactly);
  }
  if (Value* alternatives = request.find("firstAvailable")) {
    for (Value& alternative : alternatives->items()) {
      // A null item is an item without fields.
      if (alternative.is(json::Kind::Null)) alternative = Value::object();
      complete_demand(alternative);
      complete_tolerations(alternative);
    }
  }
}

Value* requests_of(Value& object, api::Kind kind) {
  Value* spec = object.find("spec");
  if (kind == api::Kind::Template && spec != nullptr) spec = spec->find("spec");
  Value* devices = spec == nullptr ? nullptr : spec->find("devices");
  return devices == nullptr ? nullptr : devices->find("requests");
}

// --- gates

struct GatedField {
  api::Kind kind;
  std::string_view path;  // in v1; [] for the items of a list, {} for the entries of a map
  Gate gate;
};

// In the order in which the server drops the fields of the gates.
constexpr std::array kGated = {
    GatedField{api::Kind::Claim, "spec.devices.requests.[].firstAvailable",
               Gate::DRAPrioritizedList},
    GatedField{api::Kind::Claim, "spec.devices.requests.[].exactly.tolerations",
               Gate::DRADeviceTaints},
    GatedField{api::Kind::Claim, "spec.devices.requests.[].firstAvailable.[].tolerations",
               Gate::DRADeviceTaints},
    GatedField{api::Kind::Claim, "spec.devices.requests.[].exactly.adminAccess",
               Gate::DRAAdminAccess},
    GatedField{api::Kind::Claim, "spec.devices.constraints.[].distinctAttribute",
               Gate::DRAConsumableCapacity},
    GatedField{api::Kind::Claim, "spec.devices.requests.[].exactly.capacity",
               Gate::DRAConsumableCapacity},
    GatedField{api::Kind::Claim, "spec.devices.requests.[].firstAvailable.[].capacity",
               Gate::DRAConsumableCapacity},
    GatedField{api::Kind::Claim, "spec.devices.requests.[].exactly.derivedAttributes",
               Gate::DRADerivedAttributes},
    GatedField{api::Kind::Claim, "spec.devices.requests.[].firstAvailable.[].derivedAttributes",
               Gate::DRADerivedAttributes},
    GatedField{api::Kind::Class, "spec.extendedResourceName", Gate::DRAExtendedResource},
    GatedField{api::Kind::Slice, "spec.devices.[].taints", Gate::DRADeviceTaints},
    GatedField{api::Kind::Slice, "spec.sharedCounters", Gate::DRAPartitionableDevices},
    GatedField{api::Kind::Slice, "spec.perDeviceNodeSelection", Gate::DRAPartitionableDevices},
    GatedField{api::Kind::Slice, "spec.devices.[].consumesCounters", Gate::DRAPartitionableDevices},
    GatedField{api::Kind::Slice, "spec.devices.[].nodeName", Gate::DRAPartitionableDevices},
    GatedField{api::Kind::Slice, "spec.devices.[].nodeSelector", Gate::DRAPartitionableDevices},
    GatedField{api::Kind::Slice, "spec.devices.[].allNodes", Gate::DRAPartitionableDevices},
    GatedField{api::Kind::Slice, "spec.devices.[].bindingConditions",
               Gate::DRADeviceBindingConditions},
    GatedField{api::Kind::Slice, "spec.devices.[].bindingFailureConditions",
               Gate::DRADeviceBindingConditions},
    GatedField{api::Kind::Slice, "spec.devices.[].bindsToNode", Gate::DRADeviceBindingConditions},
    GatedField{api::Kind::Slice, "spec.devices.[].allowMultipleAllocations",
               Gate::DRAConsumableCapacity},
    GatedField{api::Kind::Slice, "spec.devices.[].capacity.{}.requestPolicy",
               Gate::DRAConsumableCapacity},
    GatedField{api::Kind::Slice, "spec.devices.[].consumesCounters.[].compatibilityGroups",
               Gate::DRADeviceCompatibilityGroups},
    GatedField{api::Kind::Slice, "spec.devices.[].nodeAllocatableResources",
               Gate::DRANodeAllocatableResources},
    GatedField{api::Kind::Slice, "spec.devices.[].attributes.{}.bools",
               Gate::DRAListTypeAttributes},
    GatedField{api::Kind::Slice, "spec.devices.[].attributes.{}.ints", Gate::DRAListTypeAttributes},
    GatedField{api::Kind::Slice, "spec.devices.[].attributes.{}.strings",
               Gate::DRAListTypeAttributes},
    GatedField{api::Kind::Slice, "spec.devices.[].attributes.{}.versions",
               Gate::DRAListTypeAttributes},
    GatedField{api::Kind::Slice, "spec.partitionTypeAttribute", Gate::DRAPartitionableDevicesType},
    GatedField{api::Kind::Slice, "spec.skipNodeOperations", Gate::DRAOptionalNodeOperations},
};

bool is_on(Gate gate, const engine::Features& features) {
  if (gate == Gate::DRADeviceBindingConditions && !features.on(Gate::DRAResourceClaimDeviceStatus))
    return false;
  return features.on(gate);
}

bool has_any(const Value& at, std::span<const std::string_view> steps) {
  if (steps.empty())
    return !at.is(json::Kind::Null) && !(at.is(json::Kind::Array) && at.items().empty());
  const auto below = [steps](const Value& value) { return has_any(value, steps.subspan(1)); };
  if (steps.front() == "[]") return std::ranges::any_of(at.items(), below);
  if (steps.front() == "{}") return std::ranges::any_of(at.members(), below, &json::Member::value);
  const Value* value = at.is(json::Kind::Object) ? at.find(steps.front()) : nullptr;
  return value != nullptr && below(*value);
}

bool uses_gate(const Value& object, api::Kind kind, Gate gate) {
  return std::ranges::any_of(kGated, [&](const GatedField& field) {
    return field.kind == kind && field.gate == gate &&
           has_any(object, base::split(field.path, '.'));
  });
}

// True if dropping the value loses nothing.
bool says_nothing(const Value& value) {
  switch (value.kind()) {
    case json::Kind::Null:
      return true;
    case json::Kind::Object:
      return value.members().empty();
    case json::Kind::Array:
      return value.items().empty();
    default:
      return false;
  }
}

class Dropper {
 public:
  Dropper(bool flat, std::string_view gate, std::vector<ManifestFinding>& findings)
      : flat_(flat), gate_(gate), findings_(findings) {}

  void drop(Value& at, std::span<const std::string_view> steps, const std::string& path) {
    const std::string_view step = steps.front();
    if (step == "[]") {
      std::size_t number = 0;
      for (Value& item : at.items())
        drop(item, steps.subspan(1), base::format("{}[{}]", path, number++));
    } else if (step == "{}") {
      for (json::Member& member : at.members())
        drop(member.value, steps.subspan(1), base::format("{}[{}]", path, member.key));
    } else if (Value* value = at.is(json::Kind::Object) ? at.find(step) : nullptr) {
      const std::string below = under(path, step);
      if (steps.size() > 1) return drop(*value, steps.subspan(1), below);
      add_finding(*value, below);
      at.remove(step);
    }
  }

 private:
  // The path in v1beta1, which has no `exactly` and has a device's fields in `basic`.
  std::string under(const std::string& path, std::string_view step) const {
    if (path.empty()) return std::string(step);
    if (flat_ && step == "exactly") return path;
    const bool of_device = flat_ && path.starts_with("spec.devices[") && path.ends_with("]") &&
                           path.find('[') == path.rfind('[');
    return base::format("{}{}.{}", path, of_device ? ".basic" : "", step);
  }

  void add_finding(const Value& value, const std::string& path) {
    if (says_nothing(value)) return;
    findings_.push_back(
        {.severity = Severity::Warning,
         .code = std::string(diag::name_of(diag::Code::FieldDropped)),
         .phase = Phase::Validate,
         .path = path,
         .position = value.position(),
         .message = base::format(
             "the API server drops this field silently: its feature gate {} is off", gate_),
         .fix = base::format(
             "remove the field, or switch {} on in the API server, the "
             "scheduler and the kubelets; --feature-gates {}=true checks as if it were on",
             gate_, gate_)});
  }

  const bool flat_;
  const std::string_view gate_;
  std::vector<ManifestFinding>& findings_;
};

}  // namespace

void drop_unknown(Value& object, const api::SchemaType& type) {
  if (!object.is(json::Kind::Object)) return;
  std::erase_if(object.members(), [&type](const json::Member& member) {
    return api::find_field(type, member.key) == nullptr;
  });
  for_each_below(object, type, drop_unknown);
}

void upgrade_and_default(Value& object, api::Kind kind, std::string_view version) {
  if (api::needs_upgrade(kind, version)) api::to_v1(kind, version, object);
  if (kind != api::Kind::Claim && kind != api::Kind::Template) return;
  Value* requests = requests_of(object, kind);
  if (requests == nullptr) return;
  for (Value& request : requests->items())
    complete_request(request, version);
}

std::vector<GatedUse> uses_of_disabled(const Value& object, api::Kind kind,
                                       const engine::Features& features) {
  const bool is_template = kind == api::Kind::Template;
  const Value* from = is_template ? object.find("spec") : &object;
  std::vector<GatedUse> uses;
  if (from == nullptr) return uses;
  for (const GatedField& field : kGated) {
    if (field.kind != (is_template ? api::Kind::Claim : kind) || is_on(field.gate, features) ||
        !has_any(*from, base::split(field.path, '.')))
      continue;
    std::string path(is_template ? "spec." : "");
    for (const std::string_view step : base::split(field.path, '.'))
      path += step == "[]"
                  ? "[]"
                  : base::format("{}{}", path.empty() || path.ends_with('.') ? "" : ".", step);
    uses.push_back({std::move(path), field.gate});
  }
  return uses;
}

void drop_disabled(Value& object, const Written& written, const engine::Features& features,
                   std::vector<ManifestFinding>& findings) {
  const bool is_template = written.kind == api::Kind::Template;
  const api::Kind kind = is_template ? api::Kind::Claim : written.kind;
  Value* from = is_template ? object.find("spec") : &object;
  if (from == nullptr) return;
  const Value* target = written.update_target;
  if (is_template && target != nullptr) target = target->find("spec");
  for (const GatedField& field : kGated) {
    if (field.kind != kind || is_on(field.gate, features)) continue;
    if (target != nullptr && uses_gate(*target, kind, field.gate)) continue;
    Dropper dropper(written.version == kV1Beta1, name_of(field.gate), findings);
    dropper.drop(*from, base::split(field.path, '.'), is_template ? "spec" : "");
  }
}

}  // namespace dra::checks
