// include/dra/engine/facts/tpu_variables.h
//
// Names of the environment variables that the TPU driver sets in containers with chips. Some are
// also set under an older name. Their values: topology/tpu_environment.h.

#pragma once

#include <string_view>

namespace dra::engine {

struct TpuVariableName {
  std::string_view name;
  std::string_view newer = {};  // its successor; empty: none
  // The value describes how the pod's chips lie, which no manifest can know. Short names that other
  // programs may use for something else are excluded.
  bool says_how_chips_lie = false;
};

// nullptr: the driver sets no such variable, or sets it for a single device.
const TpuVariableName* tpu_variable(std::string_view name);

// Whether a manifest should leave the variable to the driver.
bool is_set_by_tpu_driver(std::string_view name);

}  // namespace dra::engine
