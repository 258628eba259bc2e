// include/dra/answers/explain/pending_pods.h
//
// `kubectl dra explain --pending`: all pods that wait for devices, by cause, the most frequent
// first.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "dra/answers/explain/pods_by_cause.h"

namespace dra::answers {

struct PendingPods {
  std::string namespace_;  // empty: all
  std::size_t pods = 0;
  std::size_t elsewhere = 0;  // pods that wait in other namespaces, as far as these were read
  PodsByCause by_cause = {};
  snapshot::Coverage coverage = {};
};

PendingPods pending_pods(const snapshot::Snapshot& snapshot, std::string_view ns);

}  // namespace dra::answers
