// src/checks/manifest/former_fields.h: fields that an earlier release has, and the newest does not.

#pragma once

#include <vector>

#include "dra/checks/fields/manifest_finding.h"
#include "dra/json/value.h"
#include "dra/snapshot/snapshot.h"

namespace dra::checks {

// The list of fields is that of the newest release. Drops the findings about those of a
// DeviceTaintRule that the server's release knows.
void drop_former_fields(const json::Value& rule, const snapshot::Server& server,
                        std::vector<ManifestFinding>& findings);

}  // namespace dra::checks
