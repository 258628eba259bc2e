// include/dra/api/daemon_pod.h: pods that a DaemonSet's controller has made.

#pragma once

#include "dra/api/pod.h"

namespace dra::api {

// The DaemonSet that the pod is of; nullptr: none.
const OwnerReference* daemon_set_of(const Pod& pod);

}  // namespace dra::api
