// include/dra/engine/scheduler/demands.h
//
// The answers of selectors for each demand of a subject: those of its class and its own.
//
// Upstream: k8s.io/dynamic-resource-allocation/structured/internal/incubating, isSelectable.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "dra/engine/cluster/device_numbers.h"
#include "dra/engine/scheduler/pod_claims.h"
#include "dra/engine/selectors/selection.h"

namespace dra::engine {

// The answer of a demand's selectors for one device.
struct Said {
  Outcome outcome = Outcome::Chosen;
  const Failure* failure = nullptr;  // if a selector fails
  bool compiles = true;              // false: that selector fails for every device
  bool of_class = false;             // the deciding selector is the class's
  std::size_t selector = 0;          // its index, in the class or in the request
  std::string_view expression = {};  // its text
};

// Classes other than the snapshot's, by name: see Hypothesis.
using ClassOverrides = std::map<std::string_view, const api::DeviceClass*>;

class Demands {
 public:
  // The snapshot and the inventory must outlive this object. Classes are those of the snapshot
  // unless `instead` has them.
  Demands(const snapshot::Snapshot& snapshot, const Inventory& inventory, const Subject& subject,
          const ClassOverrides& instead = {});

  // nullptr: the class does not exist or could not be read, so nothing is known.
  const Selection* of(const api::DeviceDemand& demand) const;
  // The number of selectors that are the class's; they come first.
  std::size_t of_class(const api::DeviceDemand& demand) const;
  // The conditions of all its selectors, the class's first, over all devices. No value if nothing
  // is known, a selector does not compile, or there are too many kinds of devices.
  std::optional<ClauseTable> clauses_of(const api::DeviceDemand& demand) const;
  const Fleet& fleet() const { return answers_.fleet(); }
  // For a device of any slice, also of an older generation, which a node may take for the newest.
  // No value if nothing is known.
  std::optional<Said> said(const api::DeviceDemand& demand, const PoolDevice& device) const;
  std::optional<Outcome> outcome(const api::DeviceDemand& demand, const PoolDevice& device) const;
  // Every selector that is false for the device, in order, not only the first; or the one that
  // fails if all before it are true, since no later failure ever shows.
  std::vector<Said> objections(const api::DeviceDemand& demand, const PoolDevice& device) const;
  // Appends numbers that differ between devices if some selector's answer does. False: the device
  // is not in the inventory.
  bool add_answers(const PoolDevice& device, std::vector<std::uint32_t>& out) const;
  // Whether the slice's devices are in the inventory.
  bool knows(const api::ResourceSlice& slice) const {
    return places_[numbers_.of(slice)].in_inventory;
  }
  // The bits of the attributes on which the selectors' answers for slices with that model depend.
  // Some slice of the inventory must have the model.
  std::uint64_t places_read(const api::SliceModel& model) const;

 private:
  struct Demanded {
    std::size_t of_class = 0;  // number of selectors of the class
    Selection selection;
    Selection others;  // over devices that are not in the inventory

    // The answer of the numbered selector, from one of the two selections; no value: it is true.
    std::optional<Said> answer_of(const Selection& by, std::size_t number,
                                  std::size_t device) const;
  };
  struct Place {
    bool in_inventory = false;
    std::size_t index = 0;  // in one of the two fleets; for a slice, of its first device
  };

  static std::vector<Place> places_of(const snapshot::Snapshot& snapshot,
                                      const Inventory& inventory);
  Fleet others_of(const snapshot::Snapshot& snapshot) const;
  Place place_of(const PoolDevice& device) const {
    const Place of_slice = places_[numbers_.of(*device.slice)];
    return {of_slice.in_inventory, of_slice.index + DeviceNumbers::in_slice(device)};
  }

  void ask(const api::DeviceDemand& demand, const api::DeviceClass* device_class);

  const DeviceNumbers& numbers_;
  Answers answers_;
  std::vector<Place> places_;  // by the number of the slice
  Answers others_;
  std::map<const api::DeviceDemand*, Demanded> asked_;
};

}  // namespace dra::engine
