// src/api/storage_fields.h: the field lists that volumes of pods share with PersistentVolumes
// (k8s.io/api core/v1).

#pragma once

#include "dra/api/storage.h"
#include "src/api/meta_fields.h"

namespace dra::api {

template <class Io>
void fields(Io& io, VolumeResources& r) {
  io.field("requests", 2, r.requests);
}

template <class Io>
void fields(Io& io, VolumeClaimSpec& s) {
  io.field("accessModes", 1, s.access_modes);
  io.field("resources", 2, s.resources);
  io.field("volumeName", 3, s.volume_name);
  io.field("selector", 4, s.selector);
  io.field("storageClassName", 5, s.class_name);
  io.field("volumeMode", 6, s.mode);
  io.field("volumeAttributesClassName", 9, s.attributes_class);
}

template <class Io>
void fields(Io& io, GceDisk& d) {
  io.field("pdName", 1, d.name);
  io.field("readOnly", 4, d.read_only);
}

template <class Io>
void fields(Io& io, AwsDisk& d) {
  io.field("volumeID", 1, d.id);
}

template <class Io>
void fields(Io& io, AzureDisk& d) {
  io.field("diskURI", 2, d.uri);
}

template <class Io>
void fields(Io& io, CinderDisk& d) {
  io.field("volumeID", 1, d.id);
}

template <class Io>
void fields(Io& io, PortworxDisk& d) {
  io.field("volumeID", 1, d.id);
}

}  // namespace dra::api
