// src/snapshot/demo.h: the text of the built-in clusters.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dra/base/result.h"

namespace dra::snapshot {

// The time of every demo, so that ages are the same each time.
inline constexpr std::string_view kDemoTime = "2026-11-20T09:30:00Z";

// The scenes of a demo, as YAML. BadInput, with the existing names, for an unknown one.
Result<std::vector<std::string_view>> demo_scenes(std::string_view name);

}  // namespace dra::snapshot
