// include/dra/report/lists/list_pods.h
//
// `kubectl dra pods`: the pods that use claims, and how many of the claims are allocated.

#pragma once

#include <string>
#include <vector>

#include "dra/report/lists/list.h"
#include "dra/snapshot/snapshot.h"

namespace dra::report {

struct PodRow {
  const api::Pod* pod;
  std::string status;
  std::string claims;   // "1/2": allocated claims of all
  std::string devices;  // "gpu-0…3"
};

PodRow pod_row(const snapshot::Snapshot& snapshot, const api::Pod& pod);
view::Document pods_view(const std::vector<PodRow>& rows, const ListOptions& options);

}  // namespace dra::report
