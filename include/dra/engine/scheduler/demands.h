// include/dra/engine/scheduler/demands.h
//
// Which devices each demand of a subject may have by the selectors of its class and its own.
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

// What the selectors of a demand say of one device.
struct Said {
  Outcome outcome = Outcome::Chosen;
  const Failure* failure = nullptr;  // of a device for which one fails
  bool compiles = true;              // that one; else it fails for every device
  bool of_class = false;             // the selector that ended it is the class's
  std::size_t selector = 0;          // its index, among those of the class or of the request
  std::string_view expression = {};  // its text
};

// Classes other than the snapshot's, by name: see Hypothesis.
using ClassOverrides = std::map<std::string_view, const api::DeviceClass*>;

class Demands {
 public:
  // The snapshot and the inventory must outlive this object. Classes are the snapshot's, but for
  // those of `instead`.
  Demands(const snapshot::Snapshot& snapshot, const Inventory& inventory, const Subject& subject,
          const ClassOverrides& instead = {});

  // nullptr where the class is not there or could not be read: then nothing is known.
  const Selection* of(const api::DeviceDemand& demand) const;
  // How many of the selectors are the class's; they come first.
  std::size_t of_class(const api::DeviceDemand& demand) const;
  // The conditions of all its selectors, the class's first, over all devices. Nothing where that is
  // not known, one of them does not compile, or devices are of too many kinds.
  std::optional<ClauseTable> clauses_of(const api::DeviceDemand& demand) const;
  const Fleet& fleet() const { return answers_.fleet(); }
  // Of a device of any slice, also of an older generation, which a node may still take for the
  // newest; no value where nothing is known.
  std::optional<Said> said(const api::DeviceDemand& demand, const PoolDevice& device) const;
  std::optional<Outcome> outcome(const api::DeviceDemand& demand, const PoolDevice& device) const;
  // Every selector that is false for the device, in their order, and not only the first; or the one
  // that fails, if all before it are true: no other failure ever shows.
  std::vector<Said> objections(const api::DeviceDemand& demand, const PoolDevice& device) const;
  // Adds what tells the device from those of which some selector says something else. False where
  // it is not in the inventory.
  bool add_answers(const PoolDevice& device, std::vector<std::uint32_t>& out) const;
  // Whether the slice's devices are in the inventory.
  bool knows(const api::ResourceSlice& slice) const {
    return places_[numbers_.of(slice)].in_inventory;
  }
  // The places of attributes that decide what selectors say of slices with that model, of which
  // there is one in the inventory.
  std::uint64_t places_read(const api::SliceModel& model) const;

 private:
  struct Demanded {
    std::size_t of_class = 0;  // so many selectors are the class's
    Selection selection;
    Selection others;  // over the devices that are not in the inventory

    // What the selector of that number says, by one of the two; no value where it is true.
    std::optional<Said> told(const Selection& by, std::size_t number, std::size_t device) const;
  };
  struct Place {
    bool in_inventory = false;
    std::size_t index = 0;  // in one of the two fleets; of a slice, that of its first device
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
