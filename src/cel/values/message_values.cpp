// src/cel/values/message_values.cpp: JSON as upstream keeps it, in messages, and messages that stay
// messages.

#include "dra/cel/values/message_values.h"

#include <algorithm>
#include <string>
#include <vector>

#include "dra/base/text.h"
#include "dra/cel/syntax/utf8.h"
#include "dra/cel/values/go_text.h"

namespace dra::cel {
namespace {

std::string json_text(const Value& value);

// The text of a message as protobuf for Go writes it on one line. It varies how many spaces stand
// between fields: here it is one.
std::string object_text(const MapValue& map) {
  std::vector<std::string> entries;
  for (std::size_t i = 0; i < map.size(); ++i) {
    const auto [key, content] = map.entry(i);
    entries.push_back(base::format("fields:{{key:{} value:{{{}}}}}", proto_quoted(key.text()),
                                   json_text(content)));
  }
  return base::join(entries, " ");
}

std::string array_text(const ListValue& list) {
  std::vector<std::string> elements;
  for (std::size_t i = 0; i < list.size(); ++i)
    elements.push_back(base::format("values:{{{}}}", json_text(list.at(i))));
  return base::join(elements, " ");
}

std::string number_text(double value) {
  const std::string text = go_double(value);
  if (text == "NaN") return "nan";
  return text == "+Inf" ? "inf" : text == "-Inf" ? "-inf" : text;
}

std::string json_text(const Value& value) {
  switch (value.kind()) {
    case ValueKind::Bool:
      return base::format("bool_value:{}", value.as_bool() ? "true" : "false");
    case ValueKind::Double:
      return "number_value:" + number_text(value.as_double());
    case ValueKind::String:
      return "string_value:" + proto_quoted(value.text());
    case ValueKind::Map:
      return base::format("struct_value:{{{}}}", object_text(value.as_map()));
    case ValueKind::List:
      return base::format("list_value:{{{}}}", array_text(value.as_list()));
    default:
      return "null_value:NULL_VALUE";
  }
}

class JsonList final : public ListValue {
 public:
  JsonList(std::span<const Value> elements, Held held) : elements_(elements), held_(held) {}
  std::size_t size() const override { return elements_.size(); }
  Value at(std::size_t index) const override { return elements_[index]; }
  bool rebuilt_on_read() const override { return held_ == Held::WithinJson; }
  std::string element_text(std::size_t index) const override { return json_text(at(index)); }

 private:
  std::span<const Value> elements_;
  Held held_;
};

std::string_view key_of(const std::pair<Value, Value>& entry) { return entry.first.text(); }

class JsonMap final : public MapValue {
 public:
  JsonMap(std::span<const std::pair<Value, Value>> entries, Held held)
      : entries_(entries), held_(held) {}
  std::size_t size() const override { return entries_.size(); }
  std::pair<Value, Value> entry(std::size_t index) const override { return entries_[index]; }
  std::optional<Value> find(const Value& key) const override {
    if (!key.is(ValueKind::String)) return std::nullopt;
    const auto found = std::ranges::lower_bound(entries_, key.text(), {}, key_of);
    const bool is = found != entries_.end() && key_of(*found) == key.text();
    return is ? std::optional(found->second) : std::nullopt;
  }
  bool rebuilt_on_read() const override { return held_ == Held::WithinJson; }

 private:
  std::span<const std::pair<Value, Value>> entries_;
  Held held_;
};

}  // namespace

std::string proto_quoted(std::string_view text) {
  constexpr std::uint32_t last_control = 0x9f;  // beyond ASCII
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = decode_utf8(text.substr(at));
    const std::string_view octets = text.substr(at, std::max<std::size_t>(point.size, 1));
    const char c = octets[0];
    const auto byte = static_cast<unsigned char>(c);
    at += octets.size();
    if (c == '"' || c == '\\') {
      out += base::format("\\{}", c);
    } else if (c == '\n' || c == '\r' || c == '\t') {
      out += c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t";
    } else if (octets.size() == 1 && (byte < ' ' || byte >= 0x7f)) {  // no character, or a control
      out += base::format("\\x{:02x}", static_cast<unsigned>(byte));
    } else if (octets.size() > 1 && point.value <= last_control) {
      out += base::format("\\u{:04x}", static_cast<std::uint32_t>(point.value));
    } else {
      out += octets;
    }
  }
  return out + "\"";
}

Value json_list(Scratch& scratch, std::span<const Value> elements, Held held) {
  return Value::list(scratch.make<JsonList>(elements, held));
}

Value json_map(Scratch& scratch, std::span<std::pair<Value, Value>> entries, Held held) {
  std::ranges::stable_sort(entries, {}, key_of);
  std::size_t count = 0;
  for (const auto& entry : entries) {
    const bool again = count > 0 && key_of(entries[count - 1]) == key_of(entry);
    entries[again ? count - 1 : count++] = entry;
  }
  return Value::map(scratch.make<JsonMap>(entries.first(count), held));
}

const MessageValue::Content* MessageValue::find(std::string_view field) const {
  const auto found = std::ranges::find_if(
      contents_, [field](const Content& content) { return content.field->name == field; });
  return found == contents_.end() ? nullptr : &*found;
}

std::string MessageValue::text() const {
  std::vector<std::string> fields;
  for (const Content& content : contents_) {
    if (content.set) {
      fields.push_back(base::format("{}: {}", content.field->name, go_value(content.value)));
    }
  }
  return base::format("{}{{{}}}", type_.name, base::join(fields, ", "));
}

// Upstream looks at what the right side holds (ref.Val's Value), and an optional holds its content.
std::optional<bool> MessageValue::equals(const Value& other) const {
  if (other.is(ValueKind::Optional) && other.content() != nullptr) return equals(*other.content());
  const MessageValue* message = message_if(other);
  if (message == nullptr || message->type_.name != type_.name) return false;
  return std::ranges::equal(contents_, message->contents_, [](const Content& a, const Content& b) {
    return a.set == b.set && (!a.set || equal(a.value, b.value).is_true());
  });
}

bool MessageValue::is_zero() const {
  return std::ranges::none_of(contents_, [](const Content& content) { return content.set; });
}

const MessageValue* message_if(const Value& value) {
  const bool is =
      value.is(ValueKind::Opaque) && value.as_opaque().go_type() == MessageValue::kGoType;
  return is ? static_cast<const MessageValue*>(&value.as_opaque()) : nullptr;
}

}  // namespace dra::cel
