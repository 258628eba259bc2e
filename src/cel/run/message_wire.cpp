// src/cel/run/message_wire.cpp: reads protobuf's wire format, so far as an Any holds messages of
// google.protobuf. Fields of other numbers or of another wire type are skipped, as protobuf does.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>
#include <utility>

#include "dra/cel/syntax/utf8.h"
#include "dra/cel/values/message_values.h"
#include "src/cel/run/messages.h"

namespace dra::cel {
namespace {

constexpr int kDeepest = 500;  // messages and groups within each other; protobuf's limit is 10000
constexpr std::uint64_t kPartEffort = 30;  // the memory of a JSON value while it is read
constexpr std::uint64_t kMostNumber = (std::uint64_t{1} << 29) - 1;  // of a field

enum class Wire : std::uint8_t { Varint, Fixed64, Bytes, Begin, End, Fixed32 };

// A field as it is written.
struct Written {
  std::uint64_t number = 0;
  Wire wire = Wire::Varint;
  std::uint64_t bits = 0;  // of a number
  std::string_view octets = {};
};

class WireReader {
 public:
  explicit WireReader(std::string_view octets) : rest_(octets) {}

  bool failed() const { return failed_; }

  // The next field; no value at the end and after a failure. Groups are skipped.
  std::optional<Written> next(int depth) {
    while (!failed_ && !rest_.empty()) {
      Written field = tag();
      if (failed_) break;
      if (field.wire == Wire::End) {
        failed_ = true;
      } else if (field.wire == Wire::Begin) {
        skip_group(field.number, depth);
      } else {
        read(field);
        if (!failed_) return field;
      }
    }
    return std::nullopt;
  }

 private:
  Written tag() {
    const std::uint64_t tag = varint();
    const std::uint64_t wire = tag & 7;
    Written field{.number = tag >> 3, .wire = static_cast<Wire>(wire)};
    if (field.number == 0 || field.number > kMostNumber || wire > 5) failed_ = true;
    return field;
  }

  void read(Written& field) {
    if (field.wire == Wire::Varint) {
      field.bits = varint();
    } else if (field.wire == Wire::Bytes) {
      const std::uint64_t size = varint();
      field.octets = take(size);
    } else {
      const std::string_view octets = take(field.wire == Wire::Fixed64 ? 8 : 4);
      for (std::size_t i = octets.size(); i > 0; --i)
        field.bits = field.bits << 8 | static_cast<unsigned char>(octets[i - 1]);
    }
  }

  void skip_group(std::uint64_t number, int depth) {
    if (depth >= kDeepest) failed_ = true;
    while (!failed_) {
      if (rest_.empty()) {
        failed_ = true;
        return;
      }
      Written field = tag();
      if (failed_) return;
      if (field.wire == Wire::End) {
        failed_ = field.number != number;
        return;
      }
      if (field.wire == Wire::Begin) {
        skip_group(field.number, depth + 1);
      } else {
        read(field);
      }
    }
  }

  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::string_view octet = take(1);
      if (failed_) return 0;
      const auto bits = static_cast<unsigned char>(octet[0]);
      if (shift == 63 && bits > 1) break;
      value |= static_cast<std::uint64_t>(bits & 0x7f) << shift;
      if (bits < 0x80) return value;
    }
    failed_ = true;
    return 0;
  }

  std::string_view take(std::uint64_t size) {
    if (size > rest_.size()) {
      failed_ = true;
      return {};
    }
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::string_view rest_;
  bool failed_ = false;
};

// A google.protobuf.Value while it is read: what is written twice is merged.
struct Json {
  enum class Kind : std::uint8_t { Unset, Null, Number, Text, Bool, Object, Array };
  Kind kind = Kind::Unset;
  double number = 0;
  bool truth = false;
  std::string_view text = {};
  std::vector<std::string_view> keys = {};  // of an object's parts
  std::vector<Json> parts = {};
};

class JsonDecoder {
 public:
  explicit JsonDecoder(Making making) : making_(making) {}

  bool value(std::string_view octets, Json& out, int depth) {
    return fields(octets, depth, [&](const Written& field) {
      const bool number = field.wire == Wire::Varint;
      if (field.number == 1 && number) return become(out, Json::Kind::Null);
      if (field.number == 2 && field.wire == Wire::Fixed64) {
        out.number = std::bit_cast<double>(field.bits);
        return become(out, Json::Kind::Number);
      }
      if (field.number == 4 && number) {
        out.truth = field.bits != 0;
        return become(out, Json::Kind::Bool);
      }
      if (field.wire != Wire::Bytes) return true;
      if (field.number == 3) {
        out.text = field.octets;
        return become(out, Json::Kind::Text) && is_utf8(field.octets);
      }
      if (field.number == 5) {
        return become(out, Json::Kind::Object) && object(field.octets, out, depth + 1);
      }
      return field.number != 6 ||
             (become(out, Json::Kind::Array) && array(field.octets, out, depth + 1));
    });
  }

  bool object(std::string_view octets, Json& out, int depth) {
    return fields(octets, depth, [&](const Written& field) {
      if (field.number != 1 || field.wire != Wire::Bytes) return true;
      return add_part(out) &&
             entry(field.octets, out.keys.emplace_back(), out.parts.back(), depth + 1);
    });
  }

  bool array(std::string_view octets, Json& out, int depth) {
    return fields(octets, depth, [&](const Written& field) {
      if (field.number != 1 || field.wire != Wire::Bytes) return true;
      return add_part(out) && value(field.octets, out.parts.back(), depth + 1);
    });
  }

  Value made(const Json& json, Held held) const {
    switch (json.kind) {
      case Json::Kind::Number:
        return Value::real(json.number);
      case Json::Kind::Text:
        return Value::string(json.text);
      case Json::Kind::Bool:
        return Value::boolean(json.truth);
      case Json::Kind::Object: {
        const auto entries = making_.scratch.array<std::pair<Value, Value>>(json.parts.size());
        for (std::size_t i = 0; i < entries.size(); ++i)
          entries[i] = {Value::string(json.keys[i]), made(json.parts[i], Held::WithinJson)};
        return json_map(making_.scratch, entries, held);
      }
      case Json::Kind::Array: {
        const std::span<Value> elements = making_.scratch.values(json.parts.size());
        for (std::size_t i = 0; i < elements.size(); ++i)
          elements[i] = made(json.parts[i], Held::WithinJson);
        return json_list(making_.scratch, elements, held);
      }
      default:
        return {};
    }
  }

 private:
  bool add_part(Json& json) {
    json.parts.emplace_back();
    return making_.effort.spend(kPartEffort);
  }

  static bool become(Json& json, Json::Kind kind) {
    if (json.kind != kind) {
      json.keys.clear();
      json.parts.clear();
    }
    json.kind = kind;
    return true;
  }

  // The last of the values of a key counts, and what is written twice within an entry is merged.
  bool entry(std::string_view octets, std::string_view& key, Json& content, int depth) {
    return fields(octets, depth, [&](const Written& field) {
      if (field.wire != Wire::Bytes) return true;
      if (field.number == 1) {
        key = field.octets;
        return is_utf8(field.octets);
      }
      return field.number != 2 || value(field.octets, content, depth + 1);
    });
  }

  template <class Take>
  bool fields(std::string_view octets, int depth, Take take) {
    if (depth >= kDeepest || !making_.effort.spend(1 + octets.size())) return false;
    WireReader reader(octets);
    while (const std::optional<Written> field = reader.next(depth)) {
      if (!take(*field)) return false;
    }
    return !reader.failed();
  }

  Making making_;
};

// The content of a field that is no message; no value if it is skipped.
std::optional<Value> scalar(FieldKind kind, const Written& field) {
  const bool fixed = kind == FieldKind::Double || kind == FieldKind::Float;
  const bool octets = kind == FieldKind::String || kind == FieldKind::Bytes;
  const Wire wire = octets                      ? Wire::Bytes
                    : !fixed                    ? Wire::Varint
                    : kind == FieldKind::Double ? Wire::Fixed64
                                                : Wire::Fixed32;
  if (field.wire != wire) return std::nullopt;
  switch (kind) {
    case FieldKind::Bool:
      return Value::boolean(field.bits != 0);
    case FieldKind::Double:
      return Value::real(std::bit_cast<double>(field.bits));
    case FieldKind::Float:
      return Value::real(std::bit_cast<float>(static_cast<std::uint32_t>(field.bits)));
    case FieldKind::Int32:
      return Value::integer(static_cast<std::int32_t>(field.bits));
    case FieldKind::Int64:
      return Value::integer(static_cast<std::int64_t>(field.bits));
    case FieldKind::Uint32:
      return Value::uint(static_cast<std::uint32_t>(field.bits));
    case FieldKind::Uint64:
      return Value::uint(field.bits);
    case FieldKind::String:
      return Value::string(field.octets);
    case FieldKind::Bytes:
      return Value::bytes(field.octets);
    default:
      return std::nullopt;
  }
}

bool decode_scalars(const MessageType& type, std::string_view octets,
                    std::vector<SetField>& fields) {
  WireReader reader(octets);
  while (const std::optional<Written> written = reader.next(0)) {
    const auto field = std::ranges::find(type.fields, written->number, &MessageField::number);
    if (field == type.fields.end()) continue;
    const std::optional<Value> value = scalar(field->kind, *written);
    if (!value) continue;
    if (value->is(ValueKind::String) && !is_utf8(value->text())) return false;
    std::erase_if(fields, [&field](const SetField& set) { return set.field == &*field; });
    fields.push_back({&*field, *value});
  }
  return !reader.failed();
}

// The only field of a Struct or a ListValue, or one of a Value, so that it has the value.
std::optional<Decoded> decode_json(const MessageType& type, std::string_view octets,
                                   Making making) {
  JsonDecoder decoder(making);
  Json json;
  bool good = false;
  if (type.type == "dyn") {
    good = decoder.value(octets, json, 0);
  } else {
    json.kind = type.type == "list(dyn)" ? Json::Kind::Array : Json::Kind::Object;
    good = json.kind == Json::Kind::Array ? decoder.array(octets, json, 0)
                                          : decoder.object(octets, json, 0);
  }
  if (!good) return std::nullopt;
  const bool null = json.kind == Json::Kind::Null || json.kind == Json::Kind::Unset;
  Decoded out{&type, {}};
  // Of a Value any field but the null one tells the value as it is.
  if (!null) out.fields.push_back({&type.fields.back(), decoder.made(json, Held::Alone)});
  return out;
}

}  // namespace

std::optional<Decoded> decode_message(std::string_view url, std::string_view octets,
                                      Making making) {
  const MessageType* type = find_message(url.substr(url.rfind('/') + 1));
  if (type == nullptr || type->name.ends_with("Entry")) return std::nullopt;
  if (!making.effort.spend(1 + octets.size())) return std::nullopt;
  const bool json =
      type->type == "dyn" || type->type == "list(dyn)" || type->type == "map(string, dyn)";
  if (json) return decode_json(*type, octets, making);
  Decoded out{type, {}};
  return decode_scalars(*type, octets, out.fields) ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace dra::cel
