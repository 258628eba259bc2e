// include/dra/engine/facts/tpu_variables.h
//
// Environment variables that the TPU driver sets in the containers of whoever holds chips: their
// names. Several are set under an older name as well. Which values they get: topology/
// tpu_environment.h.

#pragma once

#include <string_view>

namespace dra::engine {

struct TpuVariableName {
  std::string_view name;
  std::string_view newer = {};  // the name that has replaced it; empty: none
  // It says how the chips lie which a pod gets: no manifest can know that beforehand. Short names
  // that other programs may use for something else are not among these.
  bool says_how_chips_lie = false;
};

// nullptr: the driver sets no such variable, or it is one of a single device's.
const TpuVariableName* tpu_variable(std::string_view name);

// Whether a manifest should leave it to the driver.
bool is_set_by_tpu_driver(std::string_view name);

}  // namespace dra::engine
