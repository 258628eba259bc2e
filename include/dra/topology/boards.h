// include/dra/topology/boards.h
//
// Accelerators that are cut into partitions, such as GPUs with MIG: what their partitions take of
// the counters that they share. Where one counter stands for one place (memory-slice-0,
// memory-slice-1 and so on, one of each) the places can be drawn, with who has them. Places are
// read from what devices consume, never from their names.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/engine/cluster/counters.h"
#include "dra/engine/cluster/inventory.h"

namespace dra::topology {

// One of the places.
struct Slot {
  std::string_view counter;
  // Of Inventory::devices(): the allocated device that takes it. No value: it is left, unless the
  // counter says that nothing of it is.
  std::optional<std::size_t> holder = {};
  std::optional<bool> left = true;  // no value: claims that may take it could not be read
};

// Partitions that take as much, wherever they lie.
struct Profile {
  std::string name;        // as the driver calls it; else that of the device, or of the first
  std::int64_t slots = 0;  // that each takes
  std::int64_t total = 0;  // partitions
  // Of those that could be allocated now: their first slots, where there are slots; in order.
  std::vector<std::int64_t> placeable = {};
  std::optional<std::int64_t> placeable_count = 0;  // no value: who has them could not be read
  // Counters that keep all of those away whose slots are left.
  std::vector<std::string> short_of = {};
};

struct Board {
  const engine::Pool* pool = nullptr;
  std::string_view set;                             // of counters
  std::string name;                                 // of the accelerator, from the set's
  std::string_view slot_name = {};                  // "memory-slice"; empty: there are none
  std::vector<Slot> slots = {};                     // by number
  std::vector<Profile> profiles = {};               // what takes least comes first
  std::vector<engine::CounterState> counters = {};  // that are no slots
  bool saw_claims = true;                 // else more may be taken of the counters than they say
  std::vector<std::size_t> devices = {};  // of Inventory::devices()
};

// By pool, then set. A device that draws on several sets is on the board of the first.
std::vector<Board> boards_of(const snapshot::Snapshot& snapshot,
                             const engine::Inventory& inventory);

}  // namespace dra::topology
