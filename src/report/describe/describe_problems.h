// src/report/describe/describe_problems.h
//
// What is odd about devices wherever they are described: their pool cannot be used, their node is
// not there, they are tainted, or somebody holds what is not published any more.

#pragma once

#include <string_view>

#include "src/report/describe/describe_devices.h"

namespace dra::report {

// Incomplete or invalid, and what follows; slices that are left over.
void add_pool_problems(Description& out, const engine::Pool& pool);

// A node that is not ready or does not exist, though `devices` are published for it.
void add_node_problem(Description& out, std::string_view node, std::size_t devices);

// Taints that keep claims away.
void add_tainted(Description& out, const Devices& devices);

// Allocations of devices that no current slice of the pool publishes; only of those in `names` if
// that is not empty.
void add_gone(Description& out, const engine::DeviceId& pool,
              const std::vector<std::string_view>& names = {});

// The slices of a pool with an older generation than `generation`.
std::vector<const api::ResourceSlice*> stale_slices(const Scene& scene, const engine::Pool& pool);

// "driver/pool", as `describe pool` takes it.
std::string pool_id(const engine::Pool& pool);

}  // namespace dra::report
