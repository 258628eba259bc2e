// src/snapshot/load_live.h: the state of a server.

#pragma once

#include <span>

#include "dra/snapshot/load.h"

namespace dra::snapshot {

Result<Snapshot> load_live(const Source& source, std::span<const Need> needs);

}  // namespace dra::snapshot
