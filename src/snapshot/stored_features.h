// src/snapshot/stored_features.h

#pragma once

#include <string_view>
#include <vector>

#include "dra/snapshot/snapshot.h"

namespace dra::snapshot {

// Feature gates that are on, by what is stored: while one is off, the API server drops the fields
// of its feature from what is written. Only gates of beta features that some release has off by
// default. Upstream: k8s.io/kubernetes/pkg/registry/resource/resourceslice, dropDisabledFields, and
// that of deviceclass.
std::vector<std::string_view> stored_features(const Snapshot& snapshot);

// The first minor release of Kubernetes 1 that has all of them on by default.
inline constexpr int kStoredFeaturesAreOn = 36;

}  // namespace dra::snapshot
