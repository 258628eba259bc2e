// src/cel/run/attribute.cpp: evaluates paths into values, as cel-go's interpreter/attributes.go
// does.

#include <cmath>

#include "dra/base/text.h"
#include "dra/cel/values/go_text.h"
#include "dra/cel/values/message_values.h"
#include "src/cel/run/steps.h"

namespace dra::cel {
namespace {

// The result of a qualifier: a value, an error, or nothing, which matters to optional ones only.
struct Found {
  Value value = {};
  bool present = false;

  bool failed() const { return value.is_error(); }
};

Found error(Frame& frame, const std::string& message) {
  return {frame.scratch.failure(message), false};
}

// The index that a key means in a list; no value for keys that cannot be one.
std::optional<std::int64_t> position(const Value& key) {
  constexpr double limit = 9223372036854775808.0;
  if (key.is(ValueKind::Int)) return key.as_int();
  if (key.is(ValueKind::Uint) && key.as_uint() <= INT64_MAX) {
    return static_cast<std::int64_t>(key.as_uint());
  }
  const bool whole = key.is(ValueKind::Double) && std::trunc(key.as_double()) == key.as_double() &&
                     key.as_double() >= -limit && key.as_double() < limit;
  if (whole) return static_cast<std::int64_t>(key.as_double());
  return std::nullopt;
}

Found find_in_list(const ListValue& list, const Value& key, bool may_miss, Frame& frame) {
  const std::optional<std::int64_t> at = position(key);
  if (!at) {
    const bool number = key.is(ValueKind::Uint) || key.is(ValueKind::Double);
    return error(frame, number
                            ? base::format("unsupported index value {} in list", go_value(key))
                            : base::format("unsupported index type '{}' in list", type_name(key)));
  }
  if (*at >= 0 && static_cast<std::uint64_t>(*at) < list.size()) {
    return {list.at(static_cast<std::size_t>(*at)), true};
  }
  return may_miss ? Found() : error(frame, "index out of bounds: " + go_value(key));
}

Found find_in_message(const MessageValue& message, const Value& key, bool may_miss, Frame& frame) {
  if (!key.is(ValueKind::String)) return {no_such_overload(), false};
  const MessageValue::Content* content = message.find(key.text());
  if (content == nullptr) return error(frame, base::format("no such field '{}'", key.text()));
  return may_miss && !content->set ? Found() : Found{content->value, true};
}

Found find(const Value& value, const Value& key, bool may_miss, Frame& frame) {
  if (value.is(ValueKind::List)) return find_in_list(value.as_list(), key, may_miss, frame);
  if (value.is(ValueKind::Map)) {
    std::optional<Value> found = value.as_map().find(key);
    if (!found) found = value.as_map().fallback();
    if (found) return {*found, true};
  }
  if (const MessageValue* message = message_if(value)) {
    return find_in_message(*message, key, may_miss, frame);
  }
  return may_miss ? Found() : error(frame, "no such key: " + go_value(key));
}

bool can_be_key(const Value& key) {
  switch (key.kind()) {
    case ValueKind::Bool:
    case ValueKind::Int:
    case ValueKind::Uint:
    case ValueKind::Double:
    case ValueKind::String:
      return true;
    default:
      return false;
  }
}

Found qualify(const Qualifier& qualifier, const Value& value, bool may_miss, Frame& frame) {
  Value key = qualifier.key;
  if (qualifier.dynamic != nullptr) {
    // An attribute as a key costs its qualifiers, but not the 1 of an attribute.
    const auto* attribute = dynamic_cast<const Attribute*>(qualifier.dynamic);
    key = attribute != nullptr ? attribute->resolve(frame) : qualifier.dynamic->evaluate(frame);
    if (attribute != nullptr) frame.observe(attribute->node(), key);
    if (key.is_error()) return {key, false};
    if (!can_be_key(key)) {
      return error(frame, base::format("invalid qualifier type: {}", go_type(key)));
    }
  }
  Found found = find(value, key, may_miss || qualifier.presence, frame);
  if (!qualifier.presence || found.failed()) return found;
  // has() only tests for presence; in an optional chain absence stays absence.
  if (!may_miss) return {Value::boolean(found.present), true};
  return found;
}

// Fast path of qualify(): an existing field or entry of a map.
std::optional<Value> entry_of(const Value& value, const Qualifier& qualifier) {
  const bool plain = qualifier.dynamic == nullptr && !qualifier.presence;
  return plain && value.is(ValueKind::Map) ? value.as_map().find(qualifier.key) : std::nullopt;
}

}  // namespace

void Attribute::add(const Qualifier& qualifier) {
  stand_for(qualifier.node);
  if (base_ == Base::Choice) {
    yes_->add(qualifier);
    no_->add(qualifier);
  } else {
    qualifiers_.push_back(qualifier);
  }
}

Value Attribute::run(Frame& frame) const {
  const Value value = resolve(frame);
  const bool tests = !qualifiers_.empty() && qualifiers_.back().presence;
  if (base_ != Base::Choice && !tests) frame.charge(kStepCost);
  if (tests && value.is(ValueKind::Optional)) return Value::boolean(value.content() != nullptr);
  return value;
}

Value Attribute::base(Frame& frame) const {
  if (base_ == Base::Variable) return frame.variables[index_];
  if (base_ == Base::Operand) return operand_->evaluate(frame);
  Slot& slot = frame.slots[index_];
  if (slot.set) return slot.value;
  // Set before the value is known, as upstream does; nothing can refer to itself.
  slot.set = true;
  Value value = slot.init->evaluate(frame);
  const bool empty_list = value.is(ValueKind::List) && value.as_list().size() == 0;
  const bool empty_map = value.is(ValueKind::Map) && value.as_map().size() == 0;
  if (empty_list) value = growing_list(frame.scratch);
  if (empty_map) value = growing_map(frame.scratch);
  frame.slots[index_].value = value;
  return value;
}

// Branches share keys, which may contain conditionals again: evaluating all parts of both would
// double the work at each.
void Attribute::look_at(const Attribute& branch, Frame& frame) {
  frame.not_taken = true;
  static_cast<void>(branch.evaluate(frame));
  frame.not_taken = false;
}

Value Attribute::choose(Frame& frame) const {
  const Value condition = operand_->evaluate(frame);
  const bool both = frame.exhaustive() && author_ == Author::User;
  if (!condition.is(ValueKind::Bool)) {
    const Value problem = condition.is_error() ? condition : no_such_overload();
    if (both) {
      look_at(*yes_, frame);
      look_at(*no_, frame);
    }
    return problem;
  }
  const Attribute& chosen = condition.as_bool() ? *yes_ : *no_;
  if (both) {
    const Attribute& other = condition.as_bool() ? *no_ : *yes_;
    look_at(other, frame);
    return chosen.evaluate(frame);
  }
  const Value value = chosen.resolve(frame);
  frame.observe(chosen.node(), value);
  return value;
}

Value Attribute::resolve(Frame& frame) const {
  if (base_ == Base::Choice) return choose(frame);
  const Value value = base(frame);
  if (!qualifiers_.empty()) frame.observe(base_node_, value);
  if (value.is_error()) return value;
  const bool before = frame.uncounted;
  frame.uncounted = before || beyond_locals_;
  const Value found = go_into(value, frame);
  frame.uncounted = before;
  return found;
}

Value Attribute::go_into(Value value, Frame& frame) const {
  bool optional = value.is(ValueKind::Optional);
  if (optional) {
    if (value.content() == nullptr) return value;
    value = *value.content();
  }
  for (const Qualifier& qualifier : qualifiers_) {
    optional = optional || qualifier.optional;
    if (const std::optional<Value> entry = entry_of(value, qualifier)) {
      frame.charge(kStepCost);
      value = *entry;
      if (value.is_error()) return value;
    } else {
      const Found found = qualify(qualifier, value, optional, frame);
      if (!optional || found.present) frame.charge(kStepCost);
      if (found.failed()) return found.value;
      if (optional && !found.present) return Value::none();
      value = found.value;
    }
    if (&qualifier != &qualifiers_.back()) frame.observe(qualifier.node, value);
  }
  return optional ? frame.scratch.optional(value) : value;
}

}  // namespace dra::cel
