// src/cel/library/library_optionals.cpp: optionals, and functions that macros expand to. Upstream:
// cel-go cel/library.go (OptionalTypes), ext/comprehensions.go. or() and orValue() evaluate their
// arguments lazily, so they are steps of their own: see steps.h.

#include "dra/base/text.h"
#include "dra/cel/library/library.h"
#include "dra/cel/values/go_text.h"
#include "dra/cel/values/time_values.h"

namespace dra::cel {
namespace {

// Upstream: traits.Zeroer. Other types are never zero.
bool is_zero_value(const Value& value) {
  switch (value.kind()) {
    case ValueKind::Null:
      return true;
    case ValueKind::Bool:
      return !value.as_bool();
    case ValueKind::Int:
      return value.as_int() == 0;
    case ValueKind::Uint:
      return value.as_uint() == 0;
    case ValueKind::Double:
      return value.as_double() == 0;
    case ValueKind::String:
    case ValueKind::Bytes:
      return value.text().empty();
    case ValueKind::Duration:
      return value.nanos() == 0;
    case ValueKind::Timestamp:  // Go's zero time
      return value.moment().seconds == kLeastSecond && value.moment().nanos == 0;
    case ValueKind::List:
      return value.as_list().size() == 0;
    case ValueKind::Map:  // a map with a fallback is never zero
      return value.as_map().size() == 0 && !value.as_map().fallback();
    case ValueKind::Opaque:
      return value.as_opaque().is_zero();
    default:
      return false;
  }
}

Value none(const Invocation&) { return Value::none(); }
Value of(const Invocation& call) { return call.scratch.optional(call.args[0]); }
Value of_non_zero(const Invocation& call) {
  return is_zero_value(call.args[0]) ? Value::none() : of(call);
}

Value has_value(const Invocation& call) {
  return Value::boolean(call.args[0].content() != nullptr);
}
Value value(const Invocation& call) {
  const Value* content = call.args[0].content();
  return content != nullptr ? *content : Value::error("optional.none() dereference");
}

Value unwrap(const Invocation& call) {
  const ListValue& list = call.args[0].as_list();
  std::vector<Value> out;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Value element = list.at(i);
    if (!element.is(ValueKind::Optional)) {
      return call.scratch.failure(base::format("value {} is not optional", go_value(element)));
    }
    if (element.content() != nullptr) out.push_back(*element.content());
  }
  return call.scratch.list(out);
}

Value first(const Invocation& call) {
  const ListValue& list = call.args[0].as_list();
  return list.size() == 0 ? Value::none() : call.scratch.optional(list.at(0));
}
Value last(const Invocation& call) {
  const ListValue& list = call.args[0].as_list();
  return list.size() == 0 ? Value::none() : call.scratch.optional(list.at(list.size() - 1));
}

// --- transformMap and transformMapEntry

Value with_entry(Scratch& scratch, const Value& map, const Value& key, const Value& value) {
  const MapValue& target = map.as_map();
  if (target.find(key)) {
    return scratch.failure(base::format("insert failed: key {} already exists", go_value(key)));
  }
  if (target.insert(key, value)) return map;
  std::vector<std::pair<Value, Value>> entries;
  for (std::size_t i = 0; i < target.size(); ++i)
    entries.push_back(target.entry(i));
  entries.emplace_back(key, value);
  return make_map(scratch, entries);
}

Value insert_entry(const Invocation& call) {
  return with_entry(call.scratch, call.args[0], call.args[1], call.args[2]);
}
Value insert_entries(const Invocation& call) {
  Value target = call.args[0];
  const MapValue& more = call.args[1].as_map();
  for (std::size_t i = 0; i < more.size() && !target.is_error(); ++i) {
    const auto [key, content] = more.entry(i);
    target = with_entry(call.scratch, target, key, content);
  }
  return target;
}

// An error does not end a fold, which may still absorb it.
Value not_strictly_false(const Invocation& call) {
  return Value::boolean(!call.args[0].is_false());
}

constexpr OverloadCode kOptionalOverloads[] = {
    {"@mapInsert_map_key_value", insert_entry},
    {"@mapInsert_map_map", insert_entries},
    {"list_first", first},
    {"list_last", last},
    {"optional_hasValue", has_value},
    {"optional_none", none},
    {"optional_of", of},
    {"optional_ofNonZeroValue", of_non_zero},
    {"optional_unwrap", unwrap},
    {"optional_unwrapOpt", unwrap},
    {"optional_value", value},
};

constexpr FunctionCode kOptionalFunctions[] = {
    {"@not_strictly_false", not_strictly_false},
};

}  // namespace

std::span<const OverloadCode> optional_codes() { return kOptionalOverloads; }
std::span<const FunctionCode> optional_functions() { return kOptionalFunctions; }

}  // namespace dra::cel
