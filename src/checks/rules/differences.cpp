// src/checks/rules/differences.cpp: walks two trees and the schema together, and collects the
// fields whose Go values differ.

#include "src/checks/rules/differences.h"

#include <algorithm>
#include <set>
#include <span>

#include "dra/api/schema.h"
#include "dra/base/text.h"
#include "dra/base/time.h"
#include "dra/json/write.h"

namespace dra::checks {
namespace {

using api::SchemaField;
using api::SchemaType;
using api::SchemaValue;
using api::ValueKind;
using base::format;
using json::Value;

constexpr std::size_t kMostShown = 3;     // number of differences in a message
constexpr std::size_t kWidestValue = 40;  // code points

const Value* child_of(const Value* object, std::string_view name) {
  const bool has = object != nullptr && object->is(json::Kind::Object);
  const Value* value = has ? object->find(name) : nullptr;
  return value != nullptr && value->is(json::Kind::Null) ? nullptr : value;
}

std::size_t size_of(const Value* list) {
  return list != nullptr && list->is(json::Kind::Array) ? list->items().size() : 0;
}

std::optional<base::Quantity> quantity_of(const Value* value) {
  base::Quantity quantity;
  if (value == nullptr) return quantity;
  const auto flaw = base::Quantity::read(base::trim(value->text()), quantity);
  return flaw == base::Quantity::Flaw::None ? std::optional(quantity) : std::nullopt;
}

bool is_same_text(const Value* a, const Value* b, std::string_view missing) {
  return (a == nullptr ? missing : a->text()) == (b == nullptr ? missing : b->text());
}

bool is_same_quantity(const Value* a, const Value* b) {
  const auto left = quantity_of(a);
  const auto right = quantity_of(b);
  return left && right ? *left == *right : is_same_text(a, b, "");
}

bool is_same_time(const Value* a, const Value* b) {
  if (a == nullptr || b == nullptr) return a == b;
  const auto left = base::parse_rfc3339(a->text());
  const auto right = base::parse_rfc3339(b->text());
  if (!left.ok() || !right.ok()) return a->text() == b->text();
  return left.value().seconds == right.value().seconds;
}

std::string in_one_line(Value value, bool sorted) {
  if (sorted) json::sort_keys(value);
  return json::write_json(value, json::Style::Compact);
}

// kubectl sorts the keys of what it sends.
bool is_same_opaque(const Value* now, const Value* before, const UpdateTarget& target) {
  if (now == nullptr || before == nullptr) return now == before;
  const bool unknown =
      target.parameters_left_out && before->is(json::Kind::Object) && before->members().empty();
  return unknown || in_one_line(*now, true) == in_one_line(*before, !target.stored_order);
}

class Comparison {
 public:
  explicit Comparison(const UpdateTarget& target) : target_(target) {}

  void fields(const Field& now, const Value* before, const SchemaType& type) {
    for (const SchemaField& field : api::fields_of(type))
      this->field(now, before, field);
  }

  void field(const Field& object, const Value* before, const SchemaField& field) {
    Field now = object.child(field.name);
    // In v1beta1 the fields of a request lie next to its name.
    if (object.checking().is_v1beta1 && field.name == "exactly") now = now.older_as(object);
    const Value* old = child_of(before, field.name);
    if (!now.present() && old == nullptr) return;
    if (field.pointer && now.present() != (old != nullptr)) return add(now, old);
    value(now, old, field.value);
  }

  std::vector<Difference> take() { return std::move(found_); }

 private:
  void value(const Field& now, const Value* before, const SchemaValue& type) {
    switch (type.kind) {
      case ValueKind::Object:
        return fields(now, before, *api::type_of(type));
      case ValueKind::List:
        return list(now, before, type);
      case ValueKind::Map:
        return map(now, before, type);
      default:
        if (!is_same_scalar(now.value(), before, type.kind)) add(now, before);
    }
  }

  bool is_same_scalar(const Value* now, const Value* before, ValueKind kind) const {
    switch (kind) {
      case ValueKind::Bool:
        return is_same_text(now, before, "false");
      case ValueKind::Int32:
      case ValueKind::Int64:
        return is_same_text(now, before, "0");
      case ValueKind::Quantity:
        return is_same_quantity(now, before);
      case ValueKind::Timestamp:
        return is_same_time(now, before);
      case ValueKind::Any:
        return is_same_opaque(now, before, target_);
      default:
        return is_same_text(now, before, "");
    }
  }

  void list(const Field& now, const Value* before, const SchemaValue& type) {
    const std::vector<Field> items = now.items();
    const std::size_t old = size_of(before);
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i >= old) {
        add(items[i], nullptr);
      } else {
        value(items[i], unless_null(&before->items()[i]), api::element_of(type));
      }
    }
    for (std::size_t i = items.size(); i < old; ++i)
      add(now.entry(std::to_string(i)), &before->items()[i]);
  }

  void map(const Field& now, const Value* before, const SchemaValue& type) {
    std::set<std::string_view> names;
    for (const Field::Entry& entry : now.entries())
      names.insert(entry.name);
    const bool has = before != nullptr && before->is(json::Kind::Object);
    if (has) {
      for (const json::Member& member : before->members())
        names.insert(member.key);
    }
    for (const std::string_view name : names) {
      const Value* old = has ? before->find(name) : nullptr;
      if (now.has(name) != (old != nullptr)) {
        add(now.entry(name), old);
      } else {
        value(now.entry(name), unless_null(old), api::element_of(type));
      }
    }
  }

  static const Value* unless_null(const Value* value) {
    return value->is(json::Kind::Null) ? nullptr : value;
  }

  void add(const Field& now, const Value* before) { found_.push_back({now, before}); }

  const UpdateTarget& target_;
  std::vector<Difference> found_;
};

// "1 in the cluster", "not here".
std::string value_at(const Value* value, std::string_view where) {
  if (value == nullptr || value->is(json::Kind::Null)) return format("not {}", where);
  return format("{} {}",
                base::shorten_middle(json::write_json(*value, json::Style::Compact), kWidestValue),
                where);
}

}  // namespace

std::vector<Difference> differences(const Field& now, const Value* before, std::string_view type) {
  Comparison comparison(*now.checking().update_target);
  comparison.fields(now, before, *api::schema_type(type));
  return comparison.take();
}

std::vector<Difference> differences_of(const Field& now, const Value* before, std::string_view type,
                                       std::string_view field) {
  Comparison comparison(*now.checking().update_target);
  comparison.field(now, before, *api::find_field(*api::schema_type(type), field));
  return comparison.take();
}

bool is_same(const Field& now, const Value* before, std::string_view type, std::string_view field) {
  return differences_of(now, before, type, field).empty();
}

std::string words_for(const std::vector<Difference>& differences) {
  std::vector<std::string> words;
  const std::size_t shown = std::min(differences.size(), kMostShown);
  words.reserve(shown);
  for (const Difference& one : std::span(differences).first(shown))
    words.push_back(format("{} is {} and {}", one.now.older_path(),
                           value_at(one.before, "in the cluster"),
                           value_at(one.now.value(), "here")));
  const std::size_t more = differences.size() - shown;
  return base::join(words, "; ") + (more == 0 ? std::string() : format("; and {} more", more));
}

}  // namespace dra::checks
