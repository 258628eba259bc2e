// include/dra/topology/tpu_generations.h
//
// What is known of generations of TPUs beyond what anybody publishes: how the chips of a host lie,
// which slices there are, where links wrap around. From Google's documentation of the products; a
// generation that is not in the table is drawn by what the API says of it.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "dra/topology/shape.h"

namespace dra::topology {

enum class Wraps : std::uint8_t {
  AllFromFour,     // every axis, if every side is 4 or more; else none
  SidesOfSixteen,  // an axis of 16 by itself
};

struct TpuGeneration {
  std::string_view name;                         // as the driver publishes it: "v5p"
  std::array<std::string_view, 2> accelerators;  // as nodes are labelled: "tpu-v5p-slice"
  int dimensions;
  int cores_per_chip;
  Wraps wraps;
  bool ascending = false;  // of slices of cubes no side is longer than the one after it
};

// By the one or the other; nullptr if it is not known.
const TpuGeneration* generation_of(std::string_view name_or_accelerator);

// How so many chips of one host lie; no value: no host has so many.
std::optional<Shape> host_bounds(std::int64_t chips);
// The same; a row where no host has so many.
Shape host_shape(std::int64_t chips);

// Whether links lead from one end to the other.
Axes wraps_of(const TpuGeneration& generation, const Shape& slice);

// The shapes of slices that can be cut from one, from the smallest to the whole; in each the sides
// are as they are in the slice's direction. Of a generation that is not known (nullptr), cubes may
// be put together in any way.
std::vector<Shape> shapes_within(const TpuGeneration* generation, const Shape& slice);

}  // namespace dra::topology
