// src/cel/run/native_fields.h
//
// What fields of messages take of values. Upstream: ConvertToNative of cel-go's values in
// common/types and of Kubernetes' in k8s.io/apiserver/pkg/cel; msgSetField in common/types.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "dra/cel/library/effort.h"
#include "dra/cel/values/message_values.h"
#include "dra/cel/values/messages.h"
#include "dra/cel/values/value.h"

namespace dra::cel {

class NativeFields {
 public:
  NativeFields(Scratch& scratch, Effort& effort) : scratch_(scratch), effort_(effort) {}

  // The content of a field that is set to the value, or upstream's error. JSON has the values that
  // it would be read as: numbers are Doubles.
  Value content(const MessageType& message, const MessageField& field, const Value& value);

  // What upstream says when Go's reflection panics, which ends the evaluation; else empty.
  const std::string& panic() const { return panic_; }

 private:
  // Upstream's native types that no field has but that values pass through.
  enum class Target : std::uint8_t {
    Bool,
    Bytes,
    Double,
    Float,
    Int32,
    Int64,
    String,
    Uint32,
    Uint64,
    Enum,
    Json,
    JsonObject,
    JsonArray,
    Jsons,
    Octet,
  };

  Value convert(const Value& value, Target to);
  Value convert_basic(const Value& value, Target to);
  Value integer(const Value& value, Target to);
  Value natural(const Value& value, Target to);
  Value octets(const ListValue& list);
  Value json(const Value& value);
  Value json_of_message(const MessageValue& message);
  Value elements(const ListValue& list, Held held, bool natively);
  Value entries(const MapValue& map, Held held);
  Value array_from_map(const MapValue& map);
  Value native_of(const Value& element);
  Value refuse(const Value& value, Target to);
  Value fail(const std::string& message) { return scratch_.failure(message); }

  Scratch& scratch_;
  Effort& effort_;
  std::string panic_;
};

}  // namespace dra::cel
