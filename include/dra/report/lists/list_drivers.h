// include/dra/report/lists/list_drivers.h
//
// `kubectl dra drivers`: the pools and devices of each driver, and its status.

#pragma once

#include <span>
#include <string>

#include "dra/engine/selectors/driver_summary.h"
#include "dra/report/lists/list.h"

namespace dra::report {

// "2/5": nodes of nodes_total; "<unknown>".
std::string nodes_text(const engine::DriverSummary& driver);
// "OK", "1 pool incomplete, 1 pool with stale slices".
std::string status_of(const engine::DriverSummary& driver);

json::Value to_json(const engine::DriverSummary& driver);
json::Value driver_schema();
json::Value drivers_json(std::span<const engine::DriverSummary> drivers);
json::Value driver_list_schema();
view::Document drivers_view(std::span<const engine::DriverSummary> drivers);

}  // namespace dra::report
