// src/cel/run/messages.cpp: makes messages and turns them into values.

#include "src/cel/run/messages.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "dra/base/text.h"
#include "dra/cel/values/go_text.h"
#include "dra/cel/values/message_values.h"
#include "src/cel/run/native_fields.h"
#include "src/cel/run/steps.h"

namespace dra::cel {
namespace {

constexpr std::int64_t kNanosPerSecond = 1'000'000'000;
constexpr std::string_view kLiteral = "*dynamicpb.Message";  // what upstream makes of a literal

Value default_of(FieldKind kind, Scratch& scratch) {
  switch (kind) {
    case FieldKind::Bool:
      return Value::boolean(false);
    case FieldKind::Bytes:
      return Value::bytes({});
    case FieldKind::Double:
    case FieldKind::Float:
      return Value::real(0);
    case FieldKind::Int32:
    case FieldKind::Int64:
    case FieldKind::Enum:
      return Value::integer(0);
    case FieldKind::String:
      return Value::string({});
    case FieldKind::Uint32:
    case FieldKind::Uint64:
      return Value::uint(0);
    case FieldKind::JsonArray:
    case FieldKind::Jsons:
      return json_list(scratch, {}, Held::Alone);
    case FieldKind::JsonObject:
    case FieldKind::JsonsByKey:
      return json_map(scratch, {}, Held::Alone);
    case FieldKind::Json:
      break;
  }
  return {};
}

const Value* find_set(std::span<const SetField> fields, const MessageField& field) {
  const auto found = std::ranges::find(fields, &field, &SetField::field);
  return found == fields.end() ? nullptr : &found->value;
}

Value content_of(std::span<const SetField> fields, const MessageField& field, Scratch& scratch) {
  const Value* set = find_set(fields, field);
  return set != nullptr ? *set : default_of(field.kind, scratch);
}

// Ends at the largest and the smallest duration. Upstream: durationpb.AsDuration.
Value duration_of(std::int64_t seconds, std::int64_t nanos) {
  std::int64_t whole = 0;
  std::int64_t sum = 0;
  const bool overflows = __builtin_mul_overflow(seconds, kNanosPerSecond, &whole) ||
                         __builtin_add_overflow(whole, nanos, &sum);
  using Limits = std::numeric_limits<std::int64_t>;
  if (overflows) sum = seconds < 0 ? Limits::min() : Limits::max();
  return Value::duration(sum);
}

// May be beyond the years of timestamp(). Seconds wrap around as Go's do: time.Unix.
Value timestamp_of(std::int64_t seconds, std::int64_t nanos, Scratch& scratch) {
  std::int64_t carry = nanos / kNanosPerSecond;
  nanos %= kNanosPerSecond;
  if (nanos < 0) {
    nanos += kNanosPerSecond;
    --carry;
  }
  const auto wrapped = static_cast<std::uint64_t>(seconds) + static_cast<std::uint64_t>(carry);
  return Value::timestamp(scratch.make<Moment>(Moment{.seconds = static_cast<std::int64_t>(wrapped),
                                                      .nanos = static_cast<std::int32_t>(nanos)}));
}

Value object_of(const MessageType& type, std::span<const SetField> fields,
                std::string_view go_message, Scratch& scratch) {
  const auto contents = scratch.array<MessageValue::Content>(type.fields.size());
  for (std::size_t i = 0; i < contents.size(); ++i) {
    const MessageField& field = type.fields[i];
    const Value value = content_of(fields, field, scratch);
    const bool text = field.kind == FieldKind::String;  // an empty one counts as not set
    const bool set = find_set(fields, field) != nullptr && (!text || !value.text().empty());
    contents[i] = {&field, value, set};
  }
  return Value::opaque(scratch.make<MessageValue>(type, contents, go_message));
}

std::optional<Value> value_of(const MessageType& type, std::span<const SetField> fields,
                              std::string_view go_message, Making making);

std::optional<Value> unpacked(std::span<const SetField> fields, const MessageType& any,
                              Making making) {
  const Value url = content_of(fields, any.fields[0], making.scratch);
  const Value octets = content_of(fields, any.fields[1], making.scratch);
  const std::optional<Decoded> held = decode_message(url.text(), octets.text(), making);
  if (!held) return std::nullopt;
  return value_of(*held->type, held->fields, "*emptypb.Empty", making);
}

// No value if an Any cannot be unpacked.
std::optional<Value> value_of(const MessageType& type, std::span<const SetField> fields,
                              std::string_view go_message, Making making) {
  if (type.name == "google.protobuf.Any") return unpacked(fields, type, making);
  if (type.name == "google.protobuf.Value") {
    if (fields.empty() || fields.back().field->kind == FieldKind::Enum) return Value();
    return fields.back().value;
  }
  if (type.type == "duration" || type.type == "timestamp") {
    const std::int64_t seconds = content_of(fields, type.fields[0], making.scratch).as_int();
    const std::int64_t nanos = content_of(fields, type.fields[1], making.scratch).as_int();
    return type.type == "duration" ? duration_of(seconds, nanos)
                                   : timestamp_of(seconds, nanos, making.scratch);
  }
  if (type.fields.size() == 1) return content_of(fields, type.fields[0], making.scratch);
  return object_of(type, fields, go_message, making.scratch);
}

// An Any that cannot be unpacked as protobuf for Go prints it, but for how many spaces it puts
// between fields, and for fields that it does not know. What can be read is another Any.
std::string any_text(std::span<const SetField> fields, Making making) {
  std::string url;
  std::string octets;
  for (const SetField& set : fields)
    (set.field->kind == FieldKind::String ? url : octets) = set.value.text();
  if (const auto held = decode_message(url, octets, making)) {
    return base::format("[{}]:{{{}}}", url, any_text(held->fields, making));
  }
  std::vector<std::string> parts;
  if (!url.empty()) parts.push_back("type_url:" + proto_quoted(url));
  if (!octets.empty()) parts.push_back("value:" + proto_quoted(octets));
  return base::join(parts, " ");
}

}  // namespace

Value message_value(const MessageType& type, std::span<const SetField> fields, Making making) {
  if (const std::optional<Value> value = value_of(type, fields, kLiteral, making)) return *value;
  return making.scratch.failure(base::format("unsupported conversion to ref.Val: ({}){}", kLiteral,
                                             any_text(fields, making)));
}

Value MakeMessage::run(Frame& frame) const {
  const Value made = make(frame);
  frame.charge(kMessageCost);
  return made;
}

Value MakeMessage::make(Frame& frame) const {
  std::vector<std::pair<const Field*, Value>> given;
  for (const Field& field : fields_) {
    Value value = field.value->evaluate(frame);
    if (value.is_error()) return value;
    if (field.optional && !value.is(ValueKind::Optional)) {
      return frame.scratch.failure(
          base::format("cannot initialize optional entry '{}' from non-optional value {}",
                       field.name, go_value(value)));
    }
    // Of a field that is written twice the last one counts.
    std::erase_if(given, [&field](const auto& one) { return one.first->name == field.name; });
    if (field.optional && value.content() == nullptr) continue;
    given.emplace_back(&field, field.optional ? *value.content() : value);
  }
  if (type_ == nullptr) {
    return frame.scratch.failure(base::format("unknown type '{}'", name_));
  }
  return set(given, frame);
}

Value MakeMessage::set(std::span<const std::pair<const Field*, Value>> given, Frame& frame) const {
  NativeFields natives(frame.scratch, frame.effort);
  std::vector<SetField> fields;
  for (const auto& [field, value] : given) {
    const MessageField* into = type_->find(field->name);
    DRA_CHECK(into != nullptr);
    const Value content = natives.content(*type_, *into, value);
    if (!natives.panic().empty()) frame.stop(frame.scratch.keep(natives.panic()));
    if (!frame.spend(0)) return Value::error(kTooMuchEffort);
    if (content.is_error()) return content;
    fields.push_back({into, content});
  }
  const Value made = message_value(*type_, fields, {frame.scratch, frame.effort});
  return frame.spend(0) ? made : Value::error(kTooMuchEffort);
}

}  // namespace dra::cel
