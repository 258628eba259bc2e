// src/api/daemon_pod.cpp: see daemon_pod.h.

#include "dra/api/daemon_pod.h"

#include "dra/api/kinds.h"

namespace dra::api {

const OwnerReference* daemon_set_of(const Pod& pod) {
  const OwnerReference* owner = controller_of(pod.meta);
  return owner != nullptr && owner->kind == info_of(Kind::DaemonSet).name ? owner : nullptr;
}

}  // namespace dra::api
