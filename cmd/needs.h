// cmd/needs.h: needs for users who may read one namespace only.

#pragma once

#include <string>
#include <vector>

#include "dra/snapshot/load.h"

namespace dra::cmd {

// Adds to each need of all namespaces the same need of `ns`: it is used where the server refuses
// the first.
std::vector<snapshot::Need> also_within(std::vector<snapshot::Need> needs, const std::string& ns);

// What lies around pods and explains them where it exists and may be read: DaemonSets of drivers,
// what the kubelet and controllers report, queues, webhooks.
std::vector<snapshot::Need> surroundings();

}  // namespace dra::cmd
