// cmd/needs.h: what commands ask for of users who may not read all of it.

#pragma once

#include <string>
#include <vector>

#include "dra/snapshot/load.h"

namespace dra::cmd {

// These needs, and each that is of all namespaces also of this one: it is asked for where somebody
// may read no more.
std::vector<snapshot::Need> also_within(std::vector<snapshot::Need> needs, const std::string& ns);

}  // namespace dra::cmd
