// src/cel/run/native_fields.cpp: conversions by kind of field, and their refusals in upstream's
// words.

#include "src/cel/run/native_fields.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "dra/base/ascii.h"
#include "dra/base/text.h"
#include "dra/cel/values/go_text.h"
#include "dra/cel/values/time_values.h"

namespace dra::cel {
namespace {

constexpr std::int64_t kMostSafe = (std::int64_t{1} << 53) - 1;  // of JSON's whole numbers
constexpr std::uint64_t kElementEffort = 5;                      // a copied value

constexpr std::string_view kIntOverflow = "integer overflow";
constexpr std::string_view kUintOverflow = "unsigned integer overflow";

std::string base64(std::string_view octets) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr unsigned six = 0x3f;
  std::string out;
  for (std::size_t i = 0; i < octets.size(); i += 3) {
    unsigned group = 0;
    for (std::size_t k = i; k < i + 3; ++k)
      group = group << 8 | (k < octets.size() ? static_cast<unsigned char>(octets[k]) : 0U);
    out += digits[group >> 18 & six];
    out += digits[group >> 12 & six];
    out += i + 1 < octets.size() ? digits[group >> 6 & six] : '=';
    out += i + 2 < octets.size() ? digits[group & six] : '=';
  }
  return out;
}

bool is_concatenated(const ListValue& list) { return list.go_type() == "*types.concatList"; }

// The type as upstream prints that of a value: parameters are not known any more.
std::string runtime_type(const Value& value) {
  if (value.is(ValueKind::List)) return "list(dyn)";
  if (value.is(ValueKind::Map)) return "map(dyn, dyn)";
  if (value.is(ValueKind::Optional)) return "optional_type(dyn)";
  return std::string(type_name(value));
}

// Kubernetes' types are text, too, but for formats.
bool has_text(const Value& value) {
  return value.is(ValueKind::Opaque) && message_if(value) == nullptr &&
         type_name(value) != "kubernetes.NamedFormat";
}

// JSON has no such numbers.
bool is_finite(const Value& json) {
  if (json.is(ValueKind::Double)) return std::isfinite(json.as_double());
  bool finite = true;
  if (json.is(ValueKind::List)) {
    for (std::size_t i = 0; i < json.as_list().size(); ++i)
      finite = finite && is_finite(json.as_list().at(i));
  } else if (json.is(ValueKind::Map)) {
    for (std::size_t i = 0; i < json.as_map().size(); ++i)
      finite = finite && is_finite(json.as_map().entry(i).second);
  }
  return finite;
}

// The name of a Go field for a key; letters beyond ASCII stay as they are. Upstream:
// upperCamelCase in cel-go common/types/map.go.
std::string go_field_name(std::string_view key) {
  const std::size_t begin = key.find_first_not_of(" \t\n\v\f\r");
  if (begin == std::string_view::npos) return {};
  key = key.substr(begin, key.find_last_not_of(" \t\n\v\f\r") - begin + 1);
  const auto is_gap = [](char c) { return c == '_' || c == '-'; };
  std::string out;
  char before = '_';
  for (const char c : key) {
    const bool raised = is_gap(before) && base::is_lower(c);
    const bool lowered = !is_gap(before) && !base::is_lower(before) && base::is_upper(c);
    constexpr char between = 'a' - 'A';
    if (!is_gap(c)) {
      out += static_cast<char>(raised ? c - between : lowered ? c + between : c);
    }
    before = c;
  }
  return out;
}

}  // namespace

Value NativeFields::content(const MessageType& message, const MessageField& field,
                            const Value& value) {
  const auto refused = [&](std::string_view pattern, std::string_view why) {
    return fail(base::format(pattern, message.name, field.name, why));
  };
  const bool list = field.kind == FieldKind::Jsons;
  const bool map = field.kind == FieldKind::JsonsByKey;
  if ((list && !value.is(ValueKind::List)) || (map && !value.is(ValueKind::Map))) {
    return refused("unsupported field type for {}.{}: {}", runtime_type(value));
  }
  const Value made = list  ? elements(value.as_list(), Held::Alone, false)
                     : map ? entries(value.as_map(), Held::Alone)
                           : convert(value, static_cast<Target>(field.kind));
  if (!made.is_error() || effort_.exhausted()) return made;
  return refused("field type conversion error for {}.{} value type: {}", made.text());
}

Value NativeFields::convert(const Value& value, Target to) {
  if (!effort_.spend(1)) return Value::error(kTooMuchEffort);
  switch (value.kind()) {
    case ValueKind::Error:
      return value;
    case ValueKind::Type:
      return Value::error("type conversion not supported for 'type'");
    case ValueKind::Optional:
      return value.content() == nullptr ? Value::error("optional.none() dereference")
                                        : convert(*value.content(), to);
    default:
      break;
  }
  switch (to) {
    case Target::Json:
      return json(value);
    case Target::JsonObject:
      return value.is(ValueKind::Map) ? entries(value.as_map(), Held::Alone) : refuse(value, to);
    case Target::JsonArray:
      if (value.is(ValueKind::Map)) return array_from_map(value.as_map());
      [[fallthrough]];
    case Target::Jsons:
      return value.is(ValueKind::List) ? elements(value.as_list(), Held::Alone, true)
                                       : refuse(value, to);
    default:
      return convert_basic(value, to);
  }
}

Value NativeFields::convert_basic(const Value& value, Target to) {
  switch (to) {
    case Target::Bool:
      return value.is(ValueKind::Bool) ? value : refuse(value, to);
    case Target::Bytes:
      if (value.is(ValueKind::List)) return octets(value.as_list());
      return value.is(ValueKind::Bytes) ? value : refuse(value, to);
    case Target::Double:
      return value.is(ValueKind::Double) ? value : refuse(value, to);
    case Target::Float:
      return value.is(ValueKind::Double)
                 ? Value::real(static_cast<double>(static_cast<float>(value.as_double())))
                 : refuse(value, to);
    case Target::String:
      if (has_text(value)) return scratch_.string(value.as_opaque().text());
      return value.is(ValueKind::String) ? value : refuse(value, to);
    case Target::Uint32:
    case Target::Uint64:
    case Target::Octet:
      return natural(value, to);
    default:
      return integer(value, to);
  }
}

Value NativeFields::integer(const Value& value, Target to) {
  if (!value.is(ValueKind::Int)) return refuse(value, to);
  using Limits = std::numeric_limits<std::int32_t>;
  const bool fits = value.as_int() >= Limits::min() && value.as_int() <= Limits::max();
  return fits || to == Target::Int64 ? value : Value::error(kIntOverflow);
}

Value NativeFields::natural(const Value& value, Target to) {
  if (!value.is(ValueKind::Uint)) return refuse(value, to);
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  if (to == Target::Uint32) most = std::numeric_limits<std::uint32_t>::max();
  if (to == Target::Octet) most = std::numeric_limits<std::uint8_t>::max();
  return value.as_uint() <= most ? value : Value::error(kUintOverflow);
}

// A list of uints is a slice of bytes.
Value NativeFields::octets(const ListValue& list) {
  std::string out;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Value element = is_concatenated(list) ? native_of(list.at(i)) : list.at(i);
    const Value octet = convert(element, Target::Octet);
    if (octet.is_error()) return octet;
    out += static_cast<char>(octet.as_uint());
  }
  return scratch_.bytes(out);
}

Value NativeFields::json(const Value& value) {
  switch (value.kind()) {
    case ValueKind::Int: {
      const std::int64_t number = value.as_int();
      if (number >= -kMostSafe && number <= kMostSafe)
        return Value::real(static_cast<double>(number));
      return scratch_.string(base::format("{}", number));
    }
    case ValueKind::Uint: {
      const std::uint64_t number = value.as_uint();
      if (number <= static_cast<std::uint64_t>(kMostSafe))
        return Value::real(static_cast<double>(number));
      return scratch_.string(base::format("{}", number));
    }
    case ValueKind::Bytes:
      if (!effort_.spend(value.text().size())) return Value::error(kTooMuchEffort);
      return scratch_.string(base64(value.text()));
    case ValueKind::Duration:
      return scratch_.string(format_nanos(value.nanos()));
    case ValueKind::Timestamp:
      return scratch_.string(format_moment(value.moment()));
    case ValueKind::List:
      return elements(value.as_list(), Held::WithinJson, true);
    case ValueKind::Map:
      return entries(value.as_map(), Held::WithinJson);
    case ValueKind::Opaque: {
      const MessageValue* message = message_if(value);
      return message != nullptr ? json_of_message(*message) : refuse(value, Target::Json);
    }
    default:
      return value;
  }
}

Value NativeFields::json_of_message(const MessageValue& message) {
  std::vector<std::pair<Value, Value>> made;
  for (const MessageValue::Content& content : message.contents()) {
    if (!content.set) continue;
    if (!is_finite(content.value)) return Value::error("invalid number of a message in JSON");
    made.emplace_back(Value::string(content.field->name), content.value);
  }
  const auto kept = scratch_.array<std::pair<Value, Value>>(made.size());
  std::ranges::copy(made, kept.begin());
  return json_map(scratch_, kept, Held::WithinJson);
}

// Upstream's messages take the elements of a list; everything else takes the list, and then
// concatenated ones come apart.
Value NativeFields::elements(const ListValue& list, Held held, bool natively) {
  if (!effort_.spend(list.size() * kElementEffort)) return Value::error(kTooMuchEffort);
  const bool apart = natively && is_concatenated(list);
  const std::span<Value> made = scratch_.values(list.size());
  for (std::size_t i = 0; i < made.size(); ++i) {
    made[i] = convert(apart ? native_of(list.at(i)) : list.at(i), Target::Json);
    if (made[i].is_error()) return made[i];
  }
  return json_list(scratch_, made, held);
}

Value NativeFields::entries(const MapValue& map, Held held) {
  if (!effort_.spend(map.size() * 2 * kElementEffort)) return Value::error(kTooMuchEffort);
  const auto made = scratch_.array<std::pair<Value, Value>>(map.size());
  for (std::size_t i = 0; i < made.size(); ++i) {
    const auto [key, value] = map.entry(i);
    made[i].first = convert(key, Target::String);
    if (made[i].first.is_error()) return made[i].first;
    made[i].second = convert(value, Target::Json);
    if (made[i].second.is_error()) return made[i].second;
  }
  return json_map(scratch_, made, held);
}

// Upstream sets Go fields by name; the only one of a list is "Values".
Value NativeFields::array_from_map(const MapValue& map) {
  Value made = json_list(scratch_, {}, Held::Alone);
  for (std::size_t i = 0; i < map.size(); ++i) {
    const auto [key, value] = map.entry(i);
    const bool basic = key.kind() <= ValueKind::Timestamp;
    if (!basic) {
      return fail(base::format("type conversion error from '{}' to 'string'", runtime_type(key)));
    }
    const std::string name = go_field_name(key.is(ValueKind::Null) ? "null" : go_value(key));
    if (name != "Values") {
      constexpr std::string_view pattern =
          "type conversion error, no such field '{}' in type 'structpb.ListValue'";
      return fail(base::format(pattern, name));
    }
    made = convert(value, Target::Jsons);
    if (made.is_error()) return made;
  }
  return made;
}

// An element of a concatenated list after upstream has turned it into a Go value and back.
Value NativeFields::native_of(const Value& element) {
  if (element.is(ValueKind::Type)) return Value::string(element.as_type().name);
  if (element.is(ValueKind::Optional)) {
    return element.content() == nullptr ? Value() : native_of(*element.content());
  }
  if (!has_text(element)) return element;
  constexpr std::pair<std::string_view, std::string_view> types[] = {
      {"kubernetes.Quantity", "*resource.Quantity"},
      {"kubernetes.Semver", "semver.Version"},
      {"kubernetes.URL", "*url.URL"},
      {"net.CIDR", "netip.Prefix"},
      {"net.IP", "netip.Addr"}};
  const auto found = std::ranges::find_if(
      types, [&element](const auto& type) { return type.first == type_name(element); });
  const std::string_view type = found == std::end(types) ? type_name(element) : found->second;
  return fail(
      base::format("unsupported conversion to ref.Val: ({}){}", type, element.as_opaque().text()));
}

Value NativeFields::refuse(const Value& value, Target to) {
  constexpr std::string_view targets[] = {"bool",
                                          "[]uint8",
                                          "float64",
                                          "float32",
                                          "int32",
                                          "int64",
                                          "string",
                                          "uint32",
                                          "uint64",
                                          "protoreflect.EnumNumber",
                                          "*structpb.Value",
                                          "*structpb.Struct",
                                          "*structpb.ListValue",
                                          "[]*structpb.Value",
                                          "uint8"};
  const std::string_view target = targets[static_cast<std::size_t>(to)];
  constexpr std::string_view from = "type conversion error from {} to '{}'";
  switch (value.kind()) {
    case ValueKind::Null:
      return fail(base::format(from, "'null_type'", target));
    case ValueKind::Bool:
      return fail(base::format(from, "bool", target));
    case ValueKind::Int:
    case ValueKind::Uint:
      return fail(
          base::format("unsupported type conversion from '{}' to {}", type_name(value), target));
    case ValueKind::Double:
      return fail(base::format(from, "Double", target));
    case ValueKind::String:
      return fail(base::format("unsupported native conversion from string to '{}'", target));
    case ValueKind::Bytes:
      if (to == Target::Jsons) {
        panic_ =
            "internal error: reflect.Value.Convert: value of type types.Bytes cannot be "
            "converted to type []*structpb.Value";
      }
      return fail(base::format(from, "Bytes", target));
    case ValueKind::Duration:
      return fail(base::format(from, "'Duration'", target));
    case ValueKind::Timestamp:
      return fail(base::format(from, "'Timestamp'", target));
    case ValueKind::List:
    case ValueKind::Map:
      return fail(base::format(from, type_name(value), target));
    default:
      break;
  }
  const MessageValue* message = message_if(value);
  if (message != nullptr && (to == Target::JsonObject || to == Target::JsonArray)) {
    return fail(base::format(
        "type conversion error: pb.Merge() arguments must be the same type. got: {}, {}",
        to == Target::JsonArray ? "google.protobuf.ListValue" : "google.protobuf.Struct",
        type_name(value)));
  }
  const std::string_view name = message != nullptr ? message->go_message() : go_type(value);
  const std::size_t dot = message != nullptr ? std::string_view::npos : name.rfind('.');
  return fail(base::format(from, base::format("'{}'", name.substr(dot + 1)), target));
}

}  // namespace dra::cel
