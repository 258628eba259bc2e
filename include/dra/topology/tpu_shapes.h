// include/dra/topology/tpu_shapes.h
//
// The shapes that hosts and slices of TPUs have in their generation: how the chips of a host lie,
// which slices can be cut from a slice, on which axes links wrap around.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "dra/engine/facts/tpu_generations.h"
#include "dra/topology/shape.h"

namespace dra::topology {

// How so many chips of one host lie. No value: no host has so many.
std::optional<Shape> host_bounds(std::int64_t chips);
// The same; a row where no host has so many.
Shape host_shape(std::int64_t chips);

// Whether links lead from one end to the other.
Axes wraps_of(const engine::TpuGeneration& generation, const Shape& slice);

// The shapes of slices that can be cut from one, from the smallest to the whole; in each the sides
// are as they are in the slice's direction. Of a generation that is not known (nullptr), cubes may
// be put together in any way.
std::vector<Shape> shapes_within(const engine::TpuGeneration* generation, const Shape& slice);

}  // namespace dra::topology
