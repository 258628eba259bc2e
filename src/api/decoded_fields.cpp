// src/api/decoded_fields.cpp: the walk of an object along the field lists of its kind.

#include "dra/api/decoded_fields.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dra/api/claim.h"
#include "dra/api/cluster_objects.h"
#include "dra/api/device_class.h"
#include "dra/api/kinds.h"
#include "dra/api/pod.h"
#include "dra/api/pod_environment.h"
#include "dra/api/slice.h"
#include "dra/api/taint_rule.h"
#include "dra/api/workload.h"
#include "src/api/fields.h"

namespace dra::api {

// Each one is instantiated next to its field list.
extern template const FieldTable& table_of<ResourceClaim>();
extern template const FieldTable& table_of<ResourceClaimTemplate>();
extern template const FieldTable& table_of<DeviceClass>();
extern template const FieldTable& table_of<ResourceSlice>();
extern template const FieldTable& table_of<DeviceTaintRule>();
extern template const FieldTable& table_of<Pod>();
extern template const FieldTable& table_of<PodSpec>();
extern template const FieldTable& table_of<PodEnvironment>();
extern template const FieldTable& table_of<Node>();
extern template const FieldTable& table_of<Namespace>();
extern template const FieldTable& table_of<Event>();
extern template const FieldTable& table_of<ResourceQuota>();
extern template const FieldTable& table_of<ConfigMap>();
extern template const FieldTable& table_of<ComputeClass>();
extern template const FieldTable& table_of<ComputeDomain>();
extern template const FieldTable& table_of<QueuedWorkload>();
extern template const FieldTable& table_of<MutatingWebhooks>();
extern template const FieldTable& table_of<Workload>();

namespace {

using json::Value;
using Tables = std::vector<const FieldTable*>;

const FieldTable* fields_of_kind(const KindInfo& kind) {
  switch (kind.kind) {
    case Kind::Claim:
      return &table_of<ResourceClaim>();
    case Kind::Template:
      return &table_of<ResourceClaimTemplate>();
    case Kind::Class:
      return &table_of<DeviceClass>();
    case Kind::Slice:
      return &table_of<ResourceSlice>();
    case Kind::TaintRule:
      return &table_of<DeviceTaintRule>();
    case Kind::Pod:
      return &table_of<Pod>();
    case Kind::Node:
      return &table_of<Node>();
    case Kind::Namespace:
      return &table_of<Namespace>();
    case Kind::Event:
      return &table_of<Event>();
    case Kind::Quota:
      return &table_of<ResourceQuota>();
    case Kind::ConfigMap:
      return &table_of<ConfigMap>();
    case Kind::ComputeClass:
      return &table_of<ComputeClass>();
    case Kind::ComputeDomain:
      return &table_of<ComputeDomain>();
    case Kind::QueuedWorkload:
      return &table_of<QueuedWorkload>();
    case Kind::MutatingWebhooks:
      return &table_of<MutatingWebhooks>();
    default:
      return kind.is_workload() ? &table_of<Workload>() : nullptr;
  }
}

const Field* field_of(const FieldTable& table, std::string_view name) {
  const auto found = std::ranges::find(table.fields(), name, &Field::name);
  return found == table.fields().end() ? nullptr : &*found;
}

// What is known of a member: the fields of its struct, by one or several lists.
struct Known {
  Tables nested = {};
  Shape shape = Shape::Plain;
};

class Keeper {
 public:
  // Versions before v1 have the fields of `exactly` in the request itself, and those of a device in
  // `basic` (api/upgrade.h).
  explicit Keeper(bool older) : older_(older) {}

  void keep_object(Value& object, const Tables& tables) const {
    std::set<std::string, std::less<>> below;
    std::vector<json::Member> kept;
    for (auto member = object.members().rbegin(); member != object.members().rend(); ++member) {
      if (!below.insert(member->key).second) continue;
      const std::optional<Known> known = find(tables, member->key);
      if (known && keep(member->value, *known)) kept.push_back(std::move(*member));
    }
    std::ranges::reverse(kept);
    object.members() = std::move(kept);
  }

 private:
  static void add(Tables& tables, const FieldTable& table) {
    tables.push_back(&table);
    // The environment is decoded aside, from the same object.
    if (&table == &table_of<PodSpec>()) tables.push_back(&table_of<PodEnvironment>());
  }

  std::optional<Known> find(const Tables& tables, std::string_view name) const {
    std::optional<Known> known;
    for (const FieldTable* table : tables) {
      const Field* field = field_of(*table, name);
      if (field == nullptr && older_) {
        if (const Field* exactly = field_of(*table, "exactly"))
          field = field_of(exactly->nested(), name);
        const bool is_device = field_of(*table, "consumesCounters") != nullptr;
        if (is_device && name == "basic") return Known{tables};
      }
      if (field == nullptr) continue;
      if (!known) known.emplace();
      known->shape = field->shape;
      if (field->nested != nullptr) add(known->nested, field->nested());
    }
    return known;
  }

  // False: nothing of it is left.
  bool keep(Value& value, const Known& known) const {
    if (known.shape == Shape::Raw) {
      value = Value::object();
      return true;
    }
    if (known.shape == Shape::Map) return keep_entries(value, known);
    if (value.is(json::Kind::Array)) {
      std::erase_if(value.items(), [&](Value& item) { return !keep_one(item, known); });
      return true;
    }
    return keep_one(value, known);
  }

  bool keep_one(Value& value, const Known& known) const {
    const bool is_object = value.is(json::Kind::Object);
    if (is_object && !known.nested.empty()) keep_object(value, known.nested);
    return value.is(json::Kind::Null) ||
           (is_object == !known.nested.empty() && !value.is(json::Kind::Array));
  }

  bool keep_entries(Value& map, const Known& known) const {
    if (!map.is(json::Kind::Object)) return map.is(json::Kind::Null);
    std::set<std::string, std::less<>> below;
    std::vector<json::Member> kept;
    for (auto entry = map.members().rbegin(); entry != map.members().rend(); ++entry) {
      if (below.insert(entry->key).second && keep_one(entry->value, known))
        kept.push_back(std::move(*entry));
    }
    std::ranges::reverse(kept);
    map.members() = std::move(kept);
    return true;
  }

  bool older_;
};

}  // namespace

void keep_decoded_fields(Value& object, std::string_view api_version, std::string_view kind) {
  const KindInfo* info = kind_of(api_version, kind);
  const FieldTable* table = info == nullptr ? nullptr : fields_of_kind(*info);
  // All kinds have the metadata of a namespace.
  const bool older = info != nullptr && info->group == kDraGroup && version_of(api_version) != "v1";
  Keeper(older).keep_object(object, {table == nullptr ? &table_of<Namespace>() : table});
}

}  // namespace dra::api
