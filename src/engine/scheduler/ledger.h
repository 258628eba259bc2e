// src/engine/scheduler/ledger.h
//
// A pool's shared counters while devices are picked: what is left of them, and which compatibility
// groups may draw on them.
//
// A ledger starts with what allocated devices of the pool leave, on whichever nodes they are; each
// picked device takes its part until it is given back, the last one first. Kept as upstream: a
// counter that is overdrawn at the start stops every device that consumes counters of the pool.
//
// Upstream: k8s.io/dynamic-resource-allocation/structured/internal/experimental,
// checkAvailableCounters and compatibility_groups.go.

#pragma once

#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/base/quantity.h"
#include "dra/engine/cluster/pool.h"
#include "dra/engine/cluster/usage.h"

namespace dra::engine {

class Ledger {
 public:
  struct Rules {
    bool groups;  // compatibility groups count
    bool shares;  // a share takes what the whole device would; before 1.36 it takes nothing
  };
  // The pool as a node sees it; its slices must outlive the ledger.
  Ledger(const Pool& pool, const Usage& usage, Rules rules);

  // Whether the groups of the devices that draw on the same counter sets admit the device.
  bool admits(const api::Device& device) const;
  // Whether enough is left of all counters that it consumes.
  bool covers(const api::Device& device) const { return !missing(device); }
  // The first counter that has too little left for it.
  struct Shortage {
    std::string_view set;
    std::string_view counter;
    base::Quantity left;
    base::Quantity wanted;
  };
  std::optional<Shortage> missing(const api::Device& device) const;

  void take(const api::Device& device);
  void give_back(const api::Device& device);

 private:
  using Name = std::pair<std::string_view, std::string_view>;  // of a set and its counter

  // Who may draw on a counter set beside those that do.
  struct Groups {
    bool any = false;                           // some device draws on it
    bool without = false;                       // and has no groups: so must the others
    std::vector<std::string_view> common = {};  // to all that have groups

    bool admits(const std::vector<std::string_view>& groups) const;
    Groups with(const std::vector<std::string_view>& groups) const;
  };

  using Slices = std::span<const api::ResourceSlice* const>;

  void count_allocated(Slices slices, const Usage& usage);
  void add_groups(const api::Device& device);
  template <class F>
  static void each_part(const api::Device& device, F on_part);

  Rules rules_;
  std::optional<Shortage> overdrawn_;
  std::map<Name, base::Quantity> left_;
  std::map<std::string_view, std::vector<Groups>> groups_;  // of a set, after each device
};

}  // namespace dra::engine
