// src/checks/manifest/consequences.h

#pragma once

#include <vector>

#include "dra/checks/fields/manifest_finding.h"
#include "dra/json/value.h"

namespace dra::checks {

// Removes findings that only follow from others: the rules take for absent what has the wrong type
// or is in the wrong place. The server does not come to these. `object` is what the rules saw.
void drop_consequences(const json::Value& object, std::vector<ManifestFinding>& findings);

}  // namespace dra::checks
