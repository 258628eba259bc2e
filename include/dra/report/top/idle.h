// include/dra/report/top/idle.h
//
// `kubectl dra top namespaces|workloads --idle`: who holds devices that nothing works with, since
// when, for how many hours of devices, and what that costs at the prices that a user gives.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "dra/engine/running/idle_devices.h"
#include "dra/json/value.h"
#include "dra/report/phrases/scene.h"
#include "dra/report/top/top.h"
#include "dra/view/document.h"

namespace dra::report {

// Of an hour of one device, by the class that it was asked for by.
using Prices = std::map<std::string, double, std::less<>>;

// The idle devices of one claim that have been idle for one time and reason.
struct IdlePart {
  engine::IdleDevices idle;
  double hours = 0;  // of devices
};

struct IdleRow {
  std::string_view namespace_ = {};
  std::string kind = {};  // as WorkloadTop's; empty by namespace
  std::string name = {};
  double devices = 0;
  double hours = 0;
  engine::Bound bound = engine::Bound::Exactly;   // of the hours; Unknown: neither bound holds
  std::optional<double> cost = {};                // no value: no class of it has a price
  std::set<std::string_view> without_price = {};  // classes
  std::optional<base::Instant> since = {};        // the earliest of its parts
  std::vector<IdlePart> parts = {};               // the most hours first
};

struct IdleTop {
  TopBy by = TopBy::Namespaces;  // or Workloads
  base::Instant now = {};
  bool priced = false;
  bool known = true;               // false: claims could not be read
  std::vector<IdleRow> rows = {};  // the most hours first
  double idle = 0;                 // devices, of all rows before some are left out
  std::int64_t looked_at = 0;      // devices that claims hold
  std::int64_t not_judged = 0;     // of these: pods could not be read, or something else has them
  snapshot::Coverage coverage = {};
};

// `ns` is empty for all namespaces.
IdleTop idle_of(const Scene& scene, TopBy by, std::string_view ns, const Prices& prices);

json::Value to_json(const IdleTop& top);
// The first block is the table of rows, if there are some.
view::Document to_view(const IdleTop& top);

}  // namespace dra::report
