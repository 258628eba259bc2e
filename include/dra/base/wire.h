// include/dra/base/wire.h
//
// Protobuf's wire format, and the envelope in which Kubernetes sends it: four magic bytes and a
// message `Unknown` that has the object's type and bytes (k8s.io/apimachinery
// pkg/runtime/serializer/protobuf and pkg/runtime, message Unknown). Messages are walked where they
// lie; nothing is copied. Which number is which field, the caller knows.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "dra/base/function_ref.h"

namespace dra::base {

// The media type that asks a server for it.
inline constexpr std::string_view kWireMediaType = "application/vnd.kubernetes.protobuf";

// One field of a message: a number, or bytes (text or a message of its own). Values of fixed size
// are neither; Kubernetes has none.
struct WireField {
  std::uint32_t number = 0;
  bool is_bytes = false;
  std::uint64_t value = 0;      // of a number; negative ones fill all bits
  std::string_view bytes = {};  // points into the message
};

// Calls `on_field` for each number or bytes, in their order; a repeated field comes several times.
// False: the bytes end within a field or are no message. Fields before the fault were reported.
bool read_wire(std::string_view message, FunctionRef<void(const WireField&)> on_field);

// The text begins as Kubernetes' envelope does.
bool is_wire(std::string_view text);

struct WireObject {
  std::string_view api_version = {};
  std::string_view kind = {};  // "ResourceSliceList"
  std::string_view message = {};
};
// Opens the envelope. No value: it is none, or damaged.
std::optional<WireObject> open_wire(std::string_view text);

// The metadata of a list: field 1 of every message of a list. No value: the message is damaged.
struct WireListMeta {
  std::string_view resource_version = {};
  std::string_view continue_token = {};
};
std::optional<WireListMeta> wire_list_meta(std::string_view list);

}  // namespace dra::base
