// include/dra/report/top/top.h
//
// `kubectl dra top`: capacity and use by driver, class, node, node pool, namespace or workload; and
// the largest request that still fits on one node, which the number of free devices does not tell.
// Counted are accelerators: partitions of one are not devices that there are at once.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/base/quantity.h"
#include "dra/engine/cluster/quotas.h"
#include "dra/engine/selectors/device_counts.h"
#include "dra/engine/whatif/max_request.h"
#include "dra/json/value.h"
#include "dra/report/phrases/scene.h"
#include "dra/view/document.h"

namespace dra::report {

enum class TopBy : std::uint8_t { Drivers, Classes, Nodes, NodePools, Namespaces, Workloads };
std::string_view name_of(TopBy by);  // "drivers", as the command takes it

// The sum of a capacity of devices that allow several allocations, or of a counter of partitions.
struct SharedAmount {
  std::string name;      // "memory-slice-*": all counters of that name with a number
  bool counter = false;  // false: a capacity
  base::Quantity total = {};
  // No value if claims could not be read; then largest_left has none, either.
  std::optional<base::Quantity> used = base::Quantity();
  // The largest amount left in one device or one counter set. No value for numbered counters.
  std::optional<base::Quantity> largest_left = {};
  std::string where = {};  // of largest_left: driver/pool/device, or driver/pool/counter set
};

struct Fit {
  std::int64_t count = 0;                    // devices in one request
  bool known = true;                         // false: a larger request may fit
  std::vector<std::string_view> nodes = {};  // where it fits, sorted by name
  bool whole_hosts = false;  // the driver prepares whole hosts only, and some have fewer free
  // Why nothing fits although devices are free: "node n1 is cordoned". Empty: something fits, no
  // device is free, or it is not known.
  std::string why_none = {};
};

// The partitioned accelerators of one model.
struct PartitionedModel {
  std::string name;  // "H100 80GB HBM3"; empty: not published
  std::int64_t accelerators = 0;
  std::int64_t slots = 0;                      // of all of them; 0: they have none
  std::optional<std::int64_t> slots_used = 0;  // no value: claims could not be read
  std::optional<double> used = {};             // from 0 to 1; no value: as for slots_used
  engine::DeviceCounts partitions = {};
};

// The devices of a driver, class, node or node pool.
struct TopRow {
  std::string_view name;         // empty: nodes without a node pool
  bool several = false;          // of nodes and node pools: devices that several nodes can use
  std::string_view driver = {};  // nodes and node pools have a row for each driver
  std::optional<std::int64_t> nodes = {};  // number of nodes of a node pool
  std::int64_t nodes_with_devices = 0;     // of these: nodes with devices of the driver
  engine::DeviceCounts devices = {};  // that are published, each partition for itself; the missing
  std::optional<std::int64_t> allocated = {};
  std::optional<std::int64_t> free = {};
  engine::DeviceCounts accelerators = {};  // by their common states, see topology/accelerators.h
  std::optional<double> used = {};         // of the accelerators, from 0 to 1; no value: not known
  std::vector<PartitionedModel> partitioned = {};  // by name
  Fit fit = {};
  std::vector<SharedAmount> shared = {};
  bool failed = false;  // a class with a selector that does not compile
};

// The devices that claims of a namespace hold.
struct NamespaceTop {
  std::string_view name;
  bool known = true;  // false: claims could not be read, and their numbers are unknown
  std::int64_t claims = 0;
  std::int64_t pending = 0;                               // of the claims
  std::int64_t pods = 0;                                  // that have reserved claims
  std::map<std::string_view, std::int64_t> devices = {};  // held, by driver; without admin access
  std::int64_t held = 0;                                  // devices, in whole or in part
  std::int64_t gone = 0;                                  // devices that are no longer published
  std::int64_t of = 0;  // published devices, and held devices whose slices are still missing
  std::vector<engine::QuotaState> quotas = {};
};

// The devices that claims hold for a workload, or for a pod that nothing creates again.
struct WorkloadTop {
  std::string_view namespace_ = {};
  std::string kind = {};  // "Deployment", "Pod"; ResourceClaim: no pod has the claim
  std::string name = {};
  std::int64_t claims = 0;                                // allocated ones
  std::int64_t pods = 0;                                  // that have reserved them
  std::map<std::string_view, std::int64_t> devices = {};  // held, by driver; without admin access
  std::int64_t held = 0;                                  // devices, in whole or in part
};

struct Top {
  TopBy by = TopBy::Drivers;
  std::vector<TopRow> rows = {};              // by name, then driver
  std::vector<NamespaceTop> namespaces = {};  // by name
  std::vector<WorkloadTop> workloads = {};    // by devices, the most first; then by name
  snapshot::Coverage coverage = {};
};

Top top_of(const Scene& scene, TopBy by);

json::Value to_json(const Top& top);
// The first block is the table of rows. `wide` adds shared amounts of nodes.
view::Document to_view(const Top& top, bool wide);

}  // namespace dra::report
