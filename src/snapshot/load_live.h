// src/snapshot/load_live.h: loads the state of a server.

#pragma once

#include <span>

#include "dra/snapshot/builder.h"
#include "dra/snapshot/load.h"

namespace dra::snapshot {

// Adds the manifests of the source (-f). Objects without a namespace are in the default namespace.
Result<Done> lay_manifests_over(const Source& source, Builder& builder);

Result<Snapshot> load_live(const Source& source, std::span<const Need> needs);

}  // namespace dra::snapshot
