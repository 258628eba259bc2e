// src/api/decoded_fields.cpp: the walk of an object along the field lists of its kind.

#include "dra/api/decoded_fields.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dra/api/kinds.h"
#include "dra/base/function_ref.h"
#include "src/api/fields.h"
#include "src/api/tables.h"

namespace dra::api {
namespace {

using json::Value;
using Tables = std::vector<const FieldTable*>;

const Field* field_of(const FieldTable& table, std::string_view name) {
  const auto found = std::ranges::find(table.fields(), name, &Field::name);
  return found == table.fields().end() ? nullptr : &*found;
}

// What is known of a member: the fields of its struct, by one or several lists.
struct Known {
  Tables nested = {};
  Shape shape = Shape::Plain;
};

// Keeps those members of which something is left. The last of several with one key counts.
void keep_members(Value& object, base::FunctionRef<bool(json::Member&)> keep) {
  std::set<std::string, std::less<>> below;
  std::vector<json::Member> kept;
  for (std::size_t i = object.members().size(); i-- > 0;) {
    json::Member& member = object.members()[i];
    if (below.insert(member.key).second && keep(member)) kept.push_back(std::move(member));
  }
  std::ranges::reverse(kept);
  object.members() = std::move(kept);
}

class Keeper {
 public:
  // Versions before v1 have the fields of `exactly` in the request itself, and those of a device in
  // `basic` (api/upgrade.h).
  explicit Keeper(bool older) : older_(older) {}

  void keep_object(Value& object, const Tables& tables) const {
    keep_members(object, [&](json::Member& member) {
      const std::optional<Known> known = find(tables, member.key);
      return known && keep(member.value, *known);
    });
  }

 private:
  static void add(Tables& tables, const FieldTable& table) {
    tables.push_back(&table);
    // Some of a pod is decoded aside, from the same object.
    if (&table != &table_of<PodSpec>()) return;
    tables.push_back(&table_of<PodEnvironment>());
    tables.push_back(&table_of<PodWorkload>());
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
    keep_members(map, [&](json::Member& entry) { return keep_one(entry.value, known); });
    return true;
  }

  bool older_;
};

}  // namespace

void keep_decoded_fields(Value& object, std::string_view api_version, std::string_view kind) {
  const KindInfo* info = kind_of(api_version, kind);
  // All kinds have the metadata of a namespace.
  const FieldTable& table = info == nullptr ? table_of<Namespace>() : fields_of(*info);
  const bool older = info != nullptr && info->group == kDraGroup && version_of(api_version) != "v1";
  Keeper(older).keep_object(object, {&table});
}

}  // namespace dra::api
