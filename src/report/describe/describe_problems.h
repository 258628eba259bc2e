// src/report/describe/describe_problems.h
//
// Problems of devices that several descriptions report: an incomplete or invalid pool, a missing
// node, taints, and allocations of devices that are no longer published.

#pragma once

#include <string_view>

#include "src/report/describe/describe_devices.h"

namespace dra::report {

// An incomplete or invalid pool, with the consequences; slices of older generations.
void add_pool_problems(Description& out, const engine::Pool& pool);

// A node that is not ready or does not exist, though `devices` are published for it.
void add_node_problem(Description& out, std::string_view node, std::size_t devices);

// Taints with the effect NoSchedule or NoExecute.
void add_tainted(Description& out, const Devices& devices);

// Allocations of devices that no current slice of the pool publishes. `names` limits them to these
// devices; empty: all.
void add_gone(Description& out, const engine::DeviceId& pool,
              const std::vector<std::string_view>& names = {});

// The slices of a pool with an older generation than `generation`.
std::vector<const api::ResourceSlice*> stale_slices(const Scene& scene, const engine::Pool& pool);

// {"name", "generation", "resourceSliceCount", "slices", "status"}: the fields of the API, the
// slices of that generation that are there, and whether they make a whole.
json::Value pool_json(const engine::Pool& pool);

// "driver/pool", as `describe pool` takes it.
std::string pool_id(const engine::Pool& pool);

}  // namespace dra::report
