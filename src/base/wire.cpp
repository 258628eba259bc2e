// src/base/wire.cpp: the only file that knows protozero, which throws at the end of the bytes.

#include "dra/base/wire.h"

#include <exception>
#include <protozero/pbf_reader.hpp>

namespace dra::base {
namespace {

constexpr std::string_view kMagic("k8s\0", 4);

// Numbers of fields: runtime.Unknown, runtime.TypeMeta, meta/v1.ListMeta.
constexpr std::uint32_t kTypeMeta = 1;
constexpr std::uint32_t kRaw = 2;
constexpr std::uint32_t kApiVersion = 1;
constexpr std::uint32_t kKind = 2;
constexpr std::uint32_t kListMeta = 1;
constexpr std::uint32_t kResourceVersion = 2;
constexpr std::uint32_t kContinue = 3;

std::string_view to_view(const protozero::data_view& view) { return {view.data(), view.size()}; }

}  // namespace

bool read_wire(std::string_view message, FunctionRef<void(const WireField&)> on_field) {
  try {
    protozero::pbf_reader reader(message.data(), message.size());
    while (reader.next()) {
      switch (reader.wire_type()) {
        case protozero::pbf_wire_type::varint:
          on_field({.number = reader.tag(), .value = reader.get_uint64()});
          break;
        case protozero::pbf_wire_type::length_delimited:
          on_field({.number = reader.tag(), .is_bytes = true, .bytes = to_view(reader.get_view())});
          break;
        default:
          reader.skip();
      }
    }
  } catch (const protozero::exception&) {
    return false;
  }
  return true;
}

bool is_wire(std::string_view text) { return text.starts_with(kMagic); }

std::optional<WireObject> open_wire(std::string_view text) {
  if (!is_wire(text)) return std::nullopt;
  WireObject object;
  bool good = true;
  const auto on_type = [&object](const WireField& field) {
    if (field.number == kApiVersion) object.api_version = field.bytes;
    if (field.number == kKind) object.kind = field.bytes;
  };
  good = read_wire(text.substr(kMagic.size()),
                   [&](const WireField& field) {
                     if (field.number == kTypeMeta) good = good && read_wire(field.bytes, on_type);
                     if (field.number == kRaw) object.message = field.bytes;
                   }) &&
         good;
  return good ? std::optional(object) : std::nullopt;
}

std::optional<WireListMeta> wire_list_meta(std::string_view list) {
  WireListMeta meta;
  bool good = true;
  const auto on_meta = [&meta](const WireField& field) {
    if (field.number == kResourceVersion) meta.resource_version = field.bytes;
    if (field.number == kContinue) meta.continue_token = field.bytes;
  };
  good = read_wire(list,
                   [&](const WireField& field) {
                     if (field.number == kListMeta) good = good && read_wire(field.bytes, on_meta);
                   }) &&
         good;
  return good ? std::optional(meta) : std::nullopt;
}

}  // namespace dra::base
