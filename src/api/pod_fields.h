// src/api/pod_fields.h: the field lists that parts of a pod share (k8s.io/api core/v1).

#pragma once

#include "dra/api/pod.h"
#include "src/api/fields.h"

namespace dra::api {

template <class Io>
void fields(Io&, Present&) {}

}  // namespace dra::api
