// src/engine/scheduler/search.h
//
// The search for devices on one node: first fit, depth first, over claims, requests, alternatives
// and combinations of devices in upstream's order, so that the first solution is upstream's.
//
// It skips devices that are equal to one that has failed, and combinations for which too few
// devices are left; search.cpp says why that is sound.
//
// Upstream: k8s.io/dynamic-resource-allocation/structured/internal/experimental, allocateOne and
// allocateDevice.

#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "src/engine/scheduler/allocation_problem.h"

namespace dra::engine {

struct Picked {
  std::size_t demand;
  std::size_t device;
};

enum class SearchEnd : std::uint8_t {
  Found,
  Failed,
  TooMany,  // more devices than a claim can hold: another alternative before may need fewer
  Fatal,
  Budget,
};

// Pins a device: the search looks only for solutions in which the demand gets it. Devices of the
// demand that exclude it are skipped; errors are still met.
struct PinnedDevice {
  std::size_t demand;
  std::size_t device;
};

class Search {
 public:
  Search(const AllocationInput& input, Problem& problem, std::int64_t budget,
         std::optional<PinnedDevice> pinned = {});

  SearchEnd run();

  const std::vector<Picked>& picked() const { return picked_; }  // the solution, after Found
  const std::optional<diag::Reason>& fatal() const { return fatal_; }
  std::int64_t looked_at() const { return looked_at_; }
  // The rules that rejected a device for a demand because of devices picked before.
  Rules met(std::size_t demand, std::size_t device) const { return met_[demand][device]; }

 private:
  // How the current combination uses a device.
  struct Use {
    std::vector<std::size_t> claims = {};  // claims that have picked it as a whole
    std::size_t shares = 0;
    CapacityUse capacity = {};
    bool listed = false;  // upstream's list of capacity in use contains the device

    bool fresh() const { return claims.empty() && shares == 0; }
  };
  // The position in the search: which device of which demand comes next.
  struct Place {
    std::size_t request;
    std::size_t demand;
    std::int64_t number;  // of the device, among those of the demand
  };
  // What a pick has taken, to be undone.
  struct Taken {
    bool counters = false;
    std::size_t constraints = 0;
  };
  enum class Take : std::uint8_t { Taken, Refused, Fatal };

  SearchEnd from_request(std::size_t request);
  SearchEnd alternatives(std::size_t request);
  SearchEnd devices(const Place& place, std::size_t start);
  SearchEnd every(const Place& place);
  SearchEnd one_of(const Place& place, std::size_t start);
  bool enough_left(std::size_t demand, std::int64_t wanted, std::size_t start);
  bool hopeless() const;
  bool is_barrier(std::size_t device);
  bool is_other_alternative(std::size_t request, std::size_t demand) const;
  bool leaves_out_pinned(const Place& place, std::size_t device) const;
  bool may_prune() const;
  void leak_counters_pre136(std::size_t device, Rules against);
  void keep_in_use_pre136(std::size_t demand, std::size_t device);

  bool in_use_here(const DemandHere& demand, std::size_t device) const;
  bool spend();
  Take take(const Place& place, std::size_t device, Taken& taken);
  Take take_constraints(std::size_t demand, std::size_t device, Taken& taken);
  bool has_room(const DemandHere& demand, std::size_t device) const;
  bool pays_counters(std::size_t device) const;
  void mark(std::size_t demand, std::size_t device);
  void undo(std::size_t demand, std::size_t device, const Taken& taken);
  void give_back(std::size_t demand, std::size_t device, const Taken& taken);
  void find_kinds();
  std::string signature(std::size_t device) const;

  const AllocationInput& input_;
  Problem& problem_;
  std::int64_t budget_;
  std::optional<PinnedDevice> pinned_;
  std::int64_t looked_at_ = 0;
  std::vector<Use> uses_;  // by device
  std::vector<Picked> picked_;
  std::vector<std::int64_t> results_;    // by claim
  std::vector<std::vector<Rules>> met_;  // by demand and device
  std::vector<std::size_t> kinds_;       // by device; empty while the search is short
  bool may_prune_;
  std::optional<diag::Reason> fatal_;
  std::size_t depth_ = 0;
};

}  // namespace dra::engine
