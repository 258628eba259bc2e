// include/dra/topology/boards.h
//
// Accelerators that are cut into partitions, such as GPUs with MIG, and the shared counters that
// their partitions consume. Where each counter is one slot (memory-slice-0, memory-slice-1 and so
// on, one of each) the slots can be drawn, with their holders. A partition's slots follow from the
// counters that it consumes, never from its name.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/engine/cluster/counters.h"
#include "dra/engine/cluster/inventory.h"

namespace dra::topology {

// A counter that is one slot of the accelerator.
struct Slot {
  std::string_view counter;
  // Index into Inventory::devices(): the allocated device in the slot. No value: the slot is left,
  // unless the counter is used up.
  std::optional<std::size_t> holder = {};
  std::optional<bool> left = true;  // no value: claims that may use it could not be read
};

// Partitions that consume the same amounts, in any slots.
struct Profile {
  std::string name;        // the driver's name for it; else the name of its first device
  std::int64_t slots = 0;  // of each
  std::int64_t total = 0;  // partitions
  // The first slots of partitions that could be allocated now, in order. Empty without slots.
  std::vector<std::int64_t> placeable = {};
  std::optional<std::int64_t> placeable_count = 0;  // no value: their holders could not be read
  // Counters that prevent all partitions whose slots are left.
  std::vector<std::string> short_of = {};
};

struct Board {
  const engine::Pool* pool = nullptr;
  std::string_view set;                             // of counters
  std::string name;                                 // of the accelerator, from the set's
  std::string_view slot_name = {};                  // "memory-slice"; empty: it has no slots
  std::vector<Slot> slots = {};                     // by number
  std::vector<Profile> profiles = {};               // the smallest first
  std::vector<engine::CounterState> counters = {};  // that are no slots
  bool saw_claims = true;                           // false: more of the counters may be used
  std::vector<std::size_t> devices = {};            // of Inventory::devices()
};

// By pool, then set. A device that consumes counters of several sets is on the board of the first.
std::vector<Board> boards_of(const snapshot::Snapshot& snapshot,
                             const engine::Inventory& inventory);

}  // namespace dra::topology
