// cmd/needs.h: needs for users who may read one namespace only.

#pragma once

#include <string>
#include <vector>

#include "dra/snapshot/load.h"

namespace dra::cmd {

// Adds to each need of all namespaces the same need of `ns`: it is used where the server refuses
// the first.
std::vector<snapshot::Need> also_within(std::vector<snapshot::Need> needs, const std::string& ns);

// The same needs, for an answer that shows or compares the objects' own text.
std::vector<snapshot::Need> verbatim(std::vector<snapshot::Need> needs);

// The same needs, for an answer about pods that have nodes: what is about volumes is read at once.
std::vector<snapshot::Need> with_volumes(std::vector<snapshot::Need> needs);

// What lies around pods and explains them where it exists and may be read: DaemonSets of drivers,
// budgets against evictions, queues, and where volumes can be.
std::vector<snapshot::Need> surroundings();
// The failures that the kubelet and controllers report of all pods and workloads, for commands that
// do not read all warnings.
std::vector<snapshot::Need> failures_around();

}  // namespace dra::cmd
