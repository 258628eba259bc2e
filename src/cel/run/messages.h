// src/cel/run/messages.h
//
// The values that messages of google.protobuf are. Upstream: cel-go common/types/provider.go
// (NativeToValue), common/types/pb/type.go (unwrap).

#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "dra/cel/library/effort.h"
#include "dra/cel/values/messages.h"
#include "dra/cel/values/value.h"

namespace dra::cel {

// A field that is set; JSON has the values that it is read as.
struct SetField {
  const MessageField* field;
  Value value;
};

// Where values are made.
struct Making {
  Scratch& scratch;
  Effort& effort;
};

// The value of a message that an expression makes. An Any has the value of the message that it
// holds, or is an error.
Value message_value(const MessageType& type, std::span<const SetField> fields, Making making);

// A message as protobuf's wire format has it.
struct Decoded {
  const MessageType* type;
  std::vector<SetField> fields;
};

// Reads what an Any holds. No value if upstream cannot read it, or knows no message of that name;
// also if it is nested too deep for this program's stack.
std::optional<Decoded> decode_message(std::string_view url, std::string_view octets, Making making);

}  // namespace dra::cel
