// include/dra/report/phrases/environment_json.h
//
// The environment variables that the TPU driver sets as JSON, and those that containers set
// themselves.

#pragma once

#include <vector>

#include "dra/json/value.h"
#include "dra/topology/tpu_environment.h"

namespace dra::report {

// [{"name", "value"}]
json::Value variables_json(const topology::TpuEnvironment& environment);

// [{"pod", "container", "name", "value", "from"?, "differs"}]; the value is null if it is not in
// the spec.
json::Value overrides_json(const std::vector<topology::TpuOverride>& overrides);

}  // namespace dra::report
