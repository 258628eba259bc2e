// src/engine/scheduler/tainted_devices.h: one reason for each taint that devices of a node have.

#pragma once

#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "dra/diag/reason.h"
#include "src/engine/scheduler/seen.h"

namespace dra::engine {

class TaintedDevices {
 public:
  // A device whose taints no demand tolerates.
  void add(const Seen& seen);
  // By key of the taint.
  void move_to(std::vector<diag::Reason>& reasons);

 private:
  struct Tainted {
    diag::Reason reason{.code = diag::Code::DeviceTainted};
    std::set<const api::DeviceTaintRule*> by;  // nullptr: the driver
  };

  std::map<std::string_view, Tainted> by_key_;
};

}  // namespace dra::engine
