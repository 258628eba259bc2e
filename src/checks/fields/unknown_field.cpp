// src/checks/fields/unknown_field.cpp: tries explanations from the most to the least certain: the
// other versions of the API, a level too many, the name above, below or next to here, a similar
// name.

#include "src/checks/fields/unknown_field.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "dra/base/text.h"

namespace dra::checks {
namespace {

using api::SchemaField;
using api::SchemaType;
using json::Kind;
using json::Member;
using json::Value;

// Longer lists of names do not help: nobody reads them to the end.
constexpr std::size_t kListedFields = 10;
// Longer names are not misspelt fields.
constexpr std::size_t kLongestName = 64;

std::string place(std::string_view path) {
  return path.empty() ? std::string("at the top of the object") : "in " + std::string(path);
}

// The field with another name, or below another field; only if it fits on a line.
std::optional<Value> moved(std::string_view name, const Value& value) {
  if (value.is(Kind::Object) || value.is(Kind::Array)) return std::nullopt;
  Value outer = Value::object();
  outer.set(std::string(name), value);
  return outer;
}

// The fields next to the member that belong below the same field, all in one value: two values
// would repeat the field. Only the first of them has it.
std::optional<Value> nested(const SchemaField& parent, const Member& member,
                            const FieldLevel& level) {
  if (level.value == nullptr || !moved(member.key, member.value)) return std::nullopt;
  Value inner = Value::object();
  bool is_first = true;
  for (const Member& other : level.value->members()) {
    const bool along = api::find_field(*level.type, other.key) == nullptr &&
                       child_with(*level.type, other.key) == &parent &&
                       moved(other.key, other.value);
    if (!along || inner.find(other.key) != nullptr) continue;
    if (inner.members().empty()) is_first = other.key == member.key;
    inner.set(other.key, other.value);
  }
  if (!is_first) return std::nullopt;
  Value outer = Value::object();
  outer.set(std::string(parent.name), std::move(inner));
  return outer;
}

std::string no_field(std::string_view name) {
  return base::format("there is no field {} here", quoted(name));
}

std::string path_to(std::string_view path, std::string_view name) {
  return path.empty() ? std::string(name) : base::format("{}.{}", path, name);
}

// The way from `object` down to a value in it, such as ".requests[0]"; nullopt: it is not there.
std::optional<std::string> steps_to(const Value& object, const Value& wanted) {
  if (&object == &wanted) return std::string();
  for (const Member& member : object.members()) {
    if (const auto below = steps_to(member.value, wanted))
      return base::format(".{}{}", member.key, *below);
  }
  for (std::size_t i = 0; i < object.items().size(); ++i) {
    if (const auto below = steps_to(object.items()[i], wanted))
      return base::format("[{}]{}", i, *below);
  }
  return std::nullopt;
}

// The path that the field has inside `wanted`, which stands below the object of the level.
std::string path_inside(const FieldLevel& level, const Value& wanted, std::string_view name) {
  std::string path = level.path + steps_to(*level.value, wanted).value_or(std::string());
  if (path.starts_with('.')) path.erase(0, 1);
  return path_to(path, name);
}

// Says which key in a line above should hold the field, and which path the field has then.
std::optional<UnknownField> found_in_lines_above(const Member& member, const FieldLevel& level) {
  if (level.value == nullptr) return std::nullopt;
  if (const Member* empty = empty_place(*level.value, *level.type, member)) {
    return UnknownField{
        {base::format("{}; it belongs under {} in line {}, as {}, and is indented too little",
                      no_field(member.key), quoted(empty->key), empty->position.line,
                      path_inside(level, empty->value, member.key))}};
  }
  if (const Value* item = item_above(*level.value, *level.type, member)) {
    return UnknownField{{base::format(
        "{}; it belongs to the item in line {}, as {}, and is indented too little",
        no_field(member.key), item->position().line, path_inside(level, *item, member.key))}};
  }
  return std::nullopt;
}

// Finds the name as a field above, or next to the objects on the way down.
std::optional<UnknownField> found_above(const std::string& name,
                                        std::span<const FieldLevel> levels) {
  for (std::size_t up = levels.size() - 1; up-- > 0;) {
    const FieldLevel& level = levels[up];
    if (api::find_field(*level.type, name) != nullptr) {
      const bool one_level = up + 2 == levels.size();
      return UnknownField{{base::format("{}; it belongs {}{}", no_field(name),
                                        one_level ? "one level up, " : "", place(level.path))},
                          one_level};
    }
  }
  if (levels.size() < 2) return std::nullopt;
  const FieldLevel& parent = levels[levels.size() - 2];
  const SchemaField* beside = child_with(*parent.type, name);
  if (beside == nullptr) return std::nullopt;
  return UnknownField{{base::format("{}; {} {} has one", no_field(name), quoted(beside->name),
                                    place(parent.path))}};
}

std::string all_fields(const SchemaType& type) {
  std::vector<std::string> names;
  for (const SchemaField& field : api::fields_of(type))
    names.emplace_back(field.name);
  if (names.empty()) return "; an empty object belongs here";
  if (names.size() > kListedFields) return {};
  return "; there are: " + base::join(names, ", ");
}

UnknownField guess(const Member& member, std::span<const FieldLevel> levels) {
  const SchemaType& type = *levels.back().type;
  const std::string& name = member.key;
  if (name.starts_with('-'))
    return {
        {base::format("{}; a space is missing after the \"-\" of a list item", no_field(name))}};
  const std::string_view nearest = field_meant(type, name);
  if (!nearest.empty() && base::lower(nearest) == base::lower(name)) {
    return {{base::format("{}; its name is {}", no_field(name), quoted(nearest)),
             moved(nearest, member.value)}};
  }
  const bool misspelt = is_misspelt(levels.back().value, nearest);
  if (!misspelt && is_a_level_too_many(member, type)) {
    return {{base::format("{}; what it holds belongs directly {}", no_field(name),
                          place(levels.back().path))}};
  }
  if (const SchemaField* child = child_with(type, name)) {
    const std::string path = path_to(path_to(levels.back().path, child->name), name);
    return {
        {base::format("{}; it belongs under {}, as {}", no_field(name), quoted(child->name), path),
         nested(*child, member, levels.back())},
        true};
  }
  if (auto above = found_in_lines_above(member, levels.back())) return *std::move(above);
  if (auto above = found_above(name, levels)) return *std::move(above);
  if (!nearest.empty()) {
    return {{base::format("{}; did you mean {}?", no_field(name), quoted(nearest)),
             moved(nearest, member.value)}};
  }
  return {{no_field(name) + all_fields(type)}};
}

}  // namespace

// spec stands for fields of status, too, as manifests hold what is wanted.
const SchemaField* child_with(const SchemaType& type, std::string_view name) {
  const SchemaField* found = nullptr;
  for (const SchemaField& field : api::fields_of(type)) {
    if (field.value.kind != api::ValueKind::Object || field.name == "status") continue;
    const bool has = api::find_field(*api::type_of(field.value), name) != nullptr;
    if (has && (found == nullptr || field.name == "spec")) found = &field;
  }
  return found;
}

const Member* empty_place(const Value& object, const SchemaType& type, const Member& member) {
  const Member* found = nullptr;
  const auto look_in = [&](const Value& value, const SchemaType& inner) {
    const Member* below = empty_place(value, inner, member);
    if (below != nullptr) found = below;
  };
  for (const Member& one : object.members()) {
    const SchemaField* field = api::find_field(type, one.key);
    const SchemaType* inner = field == nullptr ? nullptr : api::type_of(field->value);
    const bool is_above = one.position.line > 0 && one.position.line < member.position.line;
    if (inner == nullptr || !is_above) continue;
    if (field->value.kind == api::ValueKind::List) {
      for (const Value& item : one.value.items())
        look_in(item, *inner);
    } else if (field->value.kind == api::ValueKind::Object) {
      if (one.value.is(Kind::Null) && api::find_field(*inner, member.key) != nullptr) found = &one;
      look_in(one.value, *inner);
    }
  }
  return found;
}

const Value* item_above(const Value& object, const SchemaType& type, const Member& member) {
  const Member* above = nullptr;
  for (const Member& one : object.members()) {
    const bool is_above = one.position.line > 0 && one.position.line < member.position.line;
    if (is_above && (above == nullptr || one.position.line > above->position.line)) above = &one;
  }
  const SchemaField* field = above == nullptr ? nullptr : api::find_field(type, above->key);
  if (field == nullptr || field->value.kind != api::ValueKind::List) return nullptr;
  const SchemaType* inner = api::type_of(field->value);
  const auto& items = above->value.items();
  const bool fits = inner != nullptr && !items.empty() && items.back().is(Kind::Object) &&
                    api::find_field(*inner, member.key) != nullptr &&
                    items.back().find(member.key) == nullptr;
  return fits ? &items.back() : nullptr;
}

bool is_misspelt(const Value* object, std::string_view meant) {
  return !meant.empty() && object != nullptr && object->find(meant) == nullptr;
}

// True for `exactly: {…}` in the flat version and for a spec inside a spec: all its fields are
// known here.
bool is_a_level_too_many(const Member& member, const SchemaType& type) {
  const auto& inside = member.value.members();
  return !inside.empty() && std::ranges::all_of(inside, [&type](const Member& inner) {
    return api::find_field(type, inner.key) != nullptr;
  });
}

std::vector<std::string> other_versions_with(const SchemaType& type, std::string_view name) {
  constexpr std::string_view group = "resource/";
  constexpr std::array<std::string_view, 4> versions = {"v1", "v1beta2", "v1beta1", "v1alpha3"};
  std::vector<std::string> with;
  if (!type.name.starts_with(group)) return with;
  const std::string_view go_name = type.name.substr(type.name.find('.'));
  for (const std::string_view version : versions) {
    const SchemaType* other = api::schema_type(base::format("{}{}{}", group, version, go_name));
    if (other != nullptr && api::find_field(*other, name) != nullptr) with.emplace_back(version);
  }
  return with;
}

std::string_view field_meant(const SchemaType& type, std::string_view name) {
  return name.size() <= kLongestName ? api::nearest_field(type, name) : std::string_view();
}

UnknownField describe_unknown(const Member& member, std::span<const FieldLevel> levels) {
  UnknownField unknown = guess(member, levels);
  const std::vector<std::string> versions = other_versions_with(*levels.back().type, member.key);
  if (versions.empty()) return unknown;
  unknown.misplaced = false;
  unknown.words.message += base::format(" ({} {} it here)", base::join(versions, " and "),
                                        versions.size() == 1 ? "has" : "have");
  return unknown;
}

}  // namespace dra::checks
