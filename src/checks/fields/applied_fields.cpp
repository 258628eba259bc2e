// src/checks/fields/applied_fields.cpp: brings what was applied into v1's shape, and compares the
// fields of gates with the object as it is.

#include "dra/checks/fields/applied_fields.h"

#include <algorithm>
#include <string_view>

#include "dra/api/schema.h"
#include "dra/base/text.h"
#include "dra/checks/fields/defaulting.h"
#include "dra/json/parse.h"

namespace dra::checks {
namespace {

constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";

template <class F>
bool any_demand(const api::ClaimSpec& spec, F wanted) {
  return std::ranges::any_of(spec.devices.requests, [&](const api::DeviceRequest& request) {
    return std::ranges::any_of(api::demands_of(request), [&](const api::NamedDemand& named) {
      return wanted(*named.demand);
    });
  });
}

// Whether the claim has such a field, wherever; true of a field that is not known here.
bool has(const api::ClaimSpec& spec, std::string_view field) {
  const std::string_view name = field.substr(field.rfind('.') + 1);
  if (name == "capacity")
    return any_demand(spec, [](const auto& demand) { return demand.capacity.has_value(); });
  if (name == "tolerations")
    return any_demand(spec, [](const auto& demand) { return !demand.tolerations.empty(); });
  if (name == "adminAccess")
    return any_demand(spec, [](const auto& demand) { return demand.admin_access; });
  if (name == "derivedAttributes")
    return any_demand(spec, [](const auto& demand) { return !demand.derived.empty(); });
  if (name == "distinctAttribute")
    return std::ranges::any_of(spec.devices.constraints, [](const api::Constraint& constraint) {
      return !constraint.distinct_attribute.empty();
    });
  return true;
}

// Of what was applied, the fields of gates that are off.
std::vector<LostField> applied(const api::ObjectMeta& meta, api::Kind kind,
                               const engine::Features& gates) {
  const auto* text = api::find(meta.annotations, kLastApplied);
  if (text == nullptr) return {};
  auto parsed = json::parse_json(*text);
  if (!parsed.ok() || !parsed.value().is(json::Kind::Object)) return {};
  json::Value& object = parsed.value();
  const std::string version(object.string_at("apiVersion"));
  const auto* type = api::schema_of(version, object.string_at("kind"));
  if (type == nullptr) return {};
  drop_unknown(object, *type);
  upgrade_and_default(object, kind, std::string_view(version).substr(version.find('/') + 1));
  std::vector<LostField> lost;
  for (const GatedUse& use : uses_of_disabled(object, kind, gates))
    lost.push_back({use.field, use.gate});
  return lost;
}

}  // namespace

std::vector<LostField> lost_fields(const api::ResourceClaim& claim, const engine::Features& gates) {
  std::vector<LostField> lost = applied(claim.meta, api::Kind::Claim, gates);
  std::erase_if(lost, [&claim](const LostField& one) { return has(claim.spec, one.field); });
  return lost;
}

std::vector<LostField> lost_fields(const api::ResourceClaimTemplate& made_from,
                                   const engine::Features& gates) {
  std::vector<LostField> lost = applied(made_from.meta, api::Kind::Template, gates);
  std::erase_if(lost,
                [&made_from](const LostField& one) { return has(made_from.spec.spec, one.field); });
  return lost;
}

std::vector<LostField> lost_fields(const api::DeviceClass& of, const engine::Features& gates) {
  std::vector<LostField> lost = applied(of.meta, api::Kind::Class, gates);
  std::erase_if(lost, [&of](const LostField& one) {
    return !one.field.ends_with(".extendedResourceName") || !of.spec.extended_resource.empty();
  });
  return lost;
}

}  // namespace dra::checks
