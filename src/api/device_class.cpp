// src/api/device_class.cpp: the fields of DeviceClass.

#include "dra/api/device_class.h"

#include "dra/api/decode.h"
#include "src/api/claim_fields.h"
#include "src/api/wire_fields.h"

namespace dra::api {

template <class Io>
void fields(Io& io, ClassConfig& c) {
  io.inlined(1, c.config);
}

template <class Io>
void fields(Io& io, DeviceClassSpec& s) {
  io.field("selectors", 1, s.selectors);
  io.field("config", 2, s.config);
  io.field("extendedResourceName", 4, s.extended_resource);
}

template <class Io>
void fields(Io& io, DeviceClass& c) {
  io.field("metadata", 1, c.meta);
  io.field("spec", 2, c.spec);
}

void decode(json::Cursor& from, DeviceClass& device_class) { read_object(from, device_class); }
void decode_wire(json::Reading& reading, std::string_view message, DeviceClass& device_class) {
  read_wire_object(reading, message, device_class);
}

template const FieldTable& table_of<DeviceClass>();

}  // namespace dra::api
