// src/snapshot/load_live.h: the state of a server.

#pragma once

#include <span>

#include "dra/snapshot/builder.h"
#include "dra/snapshot/load.h"

namespace dra::snapshot {

// What the source names with -f. Objects without a namespace are in the one that is looked into.
Result<Done> lay_manifests_over(const Source& source, Builder& builder);

Result<Snapshot> load_live(const Source& source, std::span<const Need> needs);

}  // namespace dra::snapshot
