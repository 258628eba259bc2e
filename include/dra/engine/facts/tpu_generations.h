// include/dra/engine/facts/tpu_generations.h
//
// What is known of generations of TPUs and of their hosts beyond what drivers publish: a table from
// Google's documentation of the products. Of a generation that is not in it, only what the API says
// counts.

#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace dra::engine {

// On which axes of a slice links lead from one end to the other.
enum class TpuWraps : std::uint8_t {
  AllFromFour,     // every axis, if every side is 4 or more; else none
  SidesOfSixteen,  // an axis of 16 by itself
};

struct TpuGeneration {
  std::string_view name;                         // as the driver publishes it: "v5p"
  std::array<std::string_view, 2> accelerators;  // as nodes are labelled: "tpu-v5p-slice"
  int dimensions;
  int cores_per_chip;
  TpuWraps wraps;
  bool ascending = false;  // of slices of cubes no side is longer than the one after it
  bool resilient = false;  // its driver sets ENABLE_ICI_RESILIENCY for slices of cubes
};

// By the one name or the other; nullptr if it is not known.
const TpuGeneration* tpu_generation_of(std::string_view name_or_accelerator);

// How the chips of a host lie.
struct TpuHostSize {
  std::int64_t chips;
  std::int64_t x;
  std::int64_t y;
};

// nullptr: no host of any generation has so many chips.
const TpuHostSize* tpu_host_size_of(std::int64_t chips);

}  // namespace dra::engine
