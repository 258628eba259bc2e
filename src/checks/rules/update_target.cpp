// src/checks/rules/update_target.cpp: reads the object from the bytes that the snapshot received.

#include "dra/checks/rules/update_target.h"

#include "dra/api/device_class.h"
#include "dra/api/pod.h"
#include "dra/api/taint_rule.h"
#include "dra/checks/fields/defaulting.h"
#include "dra/json/parse.h"

namespace dra::checks {
namespace {

using api::Kind;

template <class T>
const api::Origin* origin_of(const snapshot::Snapshot& snapshot, const ObjectName& name) {
  std::string_view ns;
  if (api::info_of(name.kind).namespaced) ns = name.namespace_;
  const T* found = snapshot.find<T>(ns, name.name);
  return found == nullptr ? nullptr : &found->origin;
}

const api::Origin* find_origin(const snapshot::Snapshot& snapshot, const ObjectName& name) {
  switch (name.kind) {
    case Kind::Claim:
      return origin_of<api::ResourceClaim>(snapshot, name);
    case Kind::Class:
      return origin_of<api::DeviceClass>(snapshot, name);
    case Kind::Pod:
      return origin_of<api::Pod>(snapshot, name);
    case Kind::Slice:
      return origin_of<api::ResourceSlice>(snapshot, name);
    case Kind::TaintRule:
      return origin_of<api::DeviceTaintRule>(snapshot, name);
    case Kind::Template:
      return origin_of<api::ResourceClaimTemplate>(snapshot, name);
    default:
      return nullptr;
  }
}

}  // namespace

std::optional<UpdateTarget> find_update_target(const snapshot::Snapshot& snapshot,
                                               const ObjectName& name) {
  const api::Origin* origin = find_origin(snapshot, name);
  if (origin == nullptr) return std::nullopt;
  auto object = json::parse_json(origin->raw);
  if (!object.ok()) return std::nullopt;  // cannot happen: the snapshot has decoded it
  const bool recorded = snapshot.taken().has_value();
  UpdateTarget target{.object = std::move(object).take(),
                      .stored_order = !recorded && !snapshot.server().assumed,
                      .parameters_left_out = recorded};
  upgrade_and_default(target.object, name.kind, api::version_of(origin->api_version));
  return target;
}

}  // namespace dra::checks
