// src/topology/tpu_generations.cpp: see tpu_generations.h. Another generation is a row.

#include "dra/topology/tpu_generations.h"

#include <algorithm>

namespace dra::topology {
namespace {

constexpr std::array kGenerations = {
    TpuGeneration{"v3", {"tpu-v3-device", "tpu-v3-slice"}, 2, 2, Wraps::AllFromFour},
    TpuGeneration{"v4", {"tpu-v4-podslice"}, 3, 2, Wraps::AllFromFour},
    TpuGeneration{"v4lite", {"tpu-v4-lite-device"}, 3, 1, Wraps::AllFromFour},
    TpuGeneration{"v5lite", {"tpu-v5-lite-device"}, 2, 1, Wraps::SidesOfSixteen},
    TpuGeneration{"v5litepod", {"tpu-v5-lite-podslice"}, 2, 1, Wraps::SidesOfSixteen},
    TpuGeneration{"v5p", {"tpu-v5p-slice"}, 3, 2, Wraps::AllFromFour, true},
    TpuGeneration{"v6e", {"tpu-v6e-slice"}, 2, 1, Wraps::SidesOfSixteen},
    TpuGeneration{"tpu7x", {"tpu7x"}, 3, 2, Wraps::AllFromFour, true},
};

struct Bounds {
  std::int64_t chips;
  Shape shape;
};
constexpr std::array kHostBounds = {Bounds{1, {1, 1, 1}}, Bounds{2, {1, 2, 1}},
                                    Bounds{4, {2, 2, 1}}, Bounds{8, {2, 4, 1}}};

constexpr std::array kFlatShapes = {Shape{1, 1, 1, 2},  Shape{2, 2, 1, 2},  Shape{2, 4, 1, 2},
                                    Shape{4, 4, 1, 2},  Shape{4, 8, 1, 2},  Shape{8, 8, 1, 2},
                                    Shape{8, 16, 1, 2}, Shape{16, 16, 1, 2}};
// The four that lie within a cube of 4x4x4; the others are made of such cubes.
constexpr std::array kSmallShapes = {Shape{2, 2, 1}, Shape{2, 2, 2}, Shape{2, 2, 4},
                                     Shape{2, 4, 4}};
constexpr std::int64_t kCube = 4;

void add_cubes(const Shape& slice, bool ascending, std::vector<Shape>& shapes) {
  for (std::int64_t x = kCube; x <= slice.x; x += kCube) {
    for (std::int64_t y = ascending ? x : kCube; y <= slice.y; y += kCube) {
      for (std::int64_t z = ascending ? y : kCube; z <= slice.z; z += kCube)
        shapes.push_back({x, y, z, 3});
    }
  }
}

}  // namespace

const TpuGeneration* generation_of(std::string_view name) {
  const auto found = std::ranges::find_if(kGenerations, [name](const TpuGeneration& one) {
    return !name.empty() && (one.name == name ||
                             std::ranges::find(one.accelerators, name) != one.accelerators.end());
  });
  return found == kGenerations.end() ? nullptr : &*found;
}

std::optional<Shape> host_bounds(std::int64_t chips) {
  const auto* found = std::ranges::find(kHostBounds, chips, &Bounds::chips);
  if (found == kHostBounds.end()) return std::nullopt;
  return found->shape;
}

Shape host_shape(std::int64_t chips) {
  return host_bounds(chips).value_or(Shape{std::max<std::int64_t>(chips, 1), 1, 1, 2});
}

Axes wraps_of(const TpuGeneration& generation, const Shape& slice) {
  if (generation.wraps == Wraps::SidesOfSixteen)
    return {slice.x == 16, slice.y == 16, slice.z == 16};
  const bool third = slice.dimensions == 3;
  const bool all = slice.x >= 4 && slice.y >= 4 && (!third || slice.z >= 4);
  return {all, all, all && third};
}

std::vector<Shape> shapes_within(const TpuGeneration* generation, const Shape& slice) {
  std::vector<Shape> shapes;
  if (slice.dimensions == 2) {
    std::ranges::copy_if(kFlatShapes, std::back_inserter(shapes),
                         [&](const Shape& one) { return one.fits_into(slice); });
  } else {
    std::ranges::copy_if(kSmallShapes, std::back_inserter(shapes),
                         [&](const Shape& one) { return one.fits_into(slice); });
    add_cubes(slice, generation != nullptr && generation->ascending, shapes);
  }
  if (std::ranges::find(shapes, slice) == shapes.end()) shapes.push_back(slice);
  std::ranges::stable_sort(shapes, {}, &Shape::size);
  return shapes;
}

}  // namespace dra::topology
