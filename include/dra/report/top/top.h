// include/dra/report/top/top.h
//
// `kubectl dra top`: how much there is and how much of it is used: by driver, class, node, node
// pool or namespace; and the largest request that one node could still serve, which free devices on
// several nodes do not tell.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/base/quantity.h"
#include "dra/engine/cluster/quotas.h"
#include "dra/engine/selectors/tally.h"
#include "dra/engine/whatif/largest.h"
#include "dra/json/value.h"
#include "dra/report/phrases/scene.h"
#include "dra/view/document.h"

namespace dra::report {

enum class TopBy : std::uint8_t { Drivers, Classes, Nodes, NodePools, Namespaces };
std::string_view name_of(TopBy by);  // "drivers", as the command takes it

// Capacity that devices share out, or counters that partitions share, added up.
struct SharedAmount {
  std::string name;      // "memory-slice-*" stands for those with numbers
  bool counter = false;  // else a capacity
  base::Quantity total = {};
  // No value: claims could not be read, and then nothing is left for certain, either.
  std::optional<base::Quantity> used = base::Quantity();
  // The most that is left in one place: of one device, of one set of counters. Of counters with
  // numbers nothing.
  std::optional<base::Quantity> largest_left = {};
  std::string where = {};  // it is left: driver/pool/device, driver/pool/counter set
};

struct Fit {
  std::int64_t count = 0;                    // devices in one request
  bool known = true;                         // false: there may be more
  std::vector<std::string_view> nodes = {};  // where so many fit, by name
};

// Whatever has devices.
struct TopRow {
  std::string_view name;         // of a node pool empty: nodes without one
  bool several = false;          // of nodes and node pools: devices that no node has alone
  std::string_view driver = {};  // of nodes and node pools, which have a row for each
  std::optional<std::int64_t> nodes = {};  // of a node pool
  engine::Tally devices = {};
  std::optional<std::int64_t> allocated = {};
  std::optional<std::int64_t> free = {};
  std::int64_t without_room = 0;  // of the free ones: what they share with others is taken
  Fit fit = {};
  std::vector<SharedAmount> shared = {};
  bool failed = false;  // a class with a selector that does not compile
};

// Who uses devices.
struct NamespaceTop {
  std::string_view name;
  bool known = true;  // false: claims could not be read, and no number of theirs is one
  std::int64_t claims = 0;
  std::int64_t pending = 0;                               // of the claims
  std::int64_t pods = 0;                                  // that have reserved claims
  std::map<std::string_view, std::int64_t> devices = {};  // held, by driver; without admin access
  std::int64_t held = 0;                                  // devices, in whole or in part
  std::int64_t gone = 0;                                  // devices that nobody publishes any more
  std::int64_t of = 0;  // devices there are, with those held of which the slices are not there yet
  std::vector<engine::QuotaState> quotas = {};
};

struct Top {
  TopBy by = TopBy::Drivers;
  std::vector<TopRow> rows = {};              // by name, then driver
  std::vector<NamespaceTop> namespaces = {};  // by name
};

Top top_of(const Scene& scene, TopBy by);

json::Value to_json(const Top& top, const Scene& scene);
// The first block is the table of rows. Wide, with what nodes share, too.
view::Document to_view(const Top& top, bool wide);

}  // namespace dra::report
