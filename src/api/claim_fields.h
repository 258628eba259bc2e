// src/api/claim_fields.h
//
// The field lists that claims share with classes and pods (k8s.io/api resource/v1).

#pragma once

#include "dra/api/claim.h"
#include "src/api/meta_fields.h"

namespace dra::api {

template <class Io>
void fields(Io& io, Toleration& t) {
  io.field("key", 1, t.key);
  io.field("operator", 2, t.op);
  io.field("value", 3, t.value);
  io.field("effect", 4, t.effect);
  io.field("tolerationSeconds", 5, t.seconds);
}

template <class Io>
void fields(Io& io, CelSelector& s) {
  io.field("expression", 1, s.expression);
}

template <class Io>
void fields(Io& io, DeviceSelector& s) {
  io.field("cel", 1, s.cel);
}

template <class Io>
void fields(Io& io, Opaque& o) {
  io.field("driver", 1, o.driver);
  io.field("parameters", 2, o.parameters);
}

template <class Io>
void fields(Io& io, DeviceConfig& c) {
  io.field("opaque", 1, c.opaque);
}

}  // namespace dra::api
