// include/dra/cel/values/message_values.h
//
// Values that only messages of google.protobuf make: lists and maps of a Struct, and messages that
// are no value of CEL's own. Upstream: cel-go common/types (object.go, NewJSONList, NewJSONStruct).

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "dra/cel/values/messages.h"
#include "dra/cel/values/value.h"

namespace dra::cel {

// Whether upstream makes the list or map again at each read, because another one holds it.
enum class Held : std::uint8_t { Alone, WithinJson };

// A google.protobuf.ListValue. The elements are not copied.
Value json_list(Scratch& scratch, std::span<const Value> elements, Held held);

// A google.protobuf.Struct. The entries are not copied, but sorted; their keys are Strings, and of
// equal keys the last one counts.
Value json_map(Scratch& scratch, std::span<std::pair<Value, Value>> entries, Held held);

// A message that has fields of its own: google.protobuf.Empty.
class MessageValue final : public OpaqueValue {
 public:
  // A field with its content, which is the default if it is not set.
  struct Content {
    const MessageField* field;
    Value value;
    bool set;
  };

  // `go_message` is the name of the message's own Go type, "*dynamicpb.Message".
  MessageValue(const MessageType& type, std::span<const Content> contents,
               std::string_view go_message)
      : type_(type), contents_(contents), go_message_(go_message) {}

  const Content* find(std::string_view field) const;
  std::span<const Content> contents() const { return contents_; }
  std::string_view go_message() const { return go_message_; }

  static constexpr std::string_view kGoType = "*types.protoObj";
  std::string_view type_name() const override { return type_.name; }
  std::string_view go_type() const override { return kGoType; }
  std::string text() const override;
  std::optional<bool> equals(const Value& other) const override;
  bool is_zero() const override;

 private:
  const MessageType& type_;
  std::span<const Content> contents_;
  std::string_view go_message_;
};

// The text or octets of a field in quotes, as protobuf for Go prints messages.
std::string proto_quoted(std::string_view text);

// nullptr if the value is something else.
const MessageValue* message_if(const Value& value);

}  // namespace dra::cel
