// src/topology/tpu_shapes.cpp: the shapes of slices are listed in Google's documentation: those of
// flat generations one by one, the others as four small ones and whatever is made of cubes of
// 4x4x4.

#include "dra/topology/tpu_shapes.h"

#include <algorithm>

namespace dra::topology {
namespace {

constexpr std::array kFlatShapes = {Shape{1, 1, 1, 2},  Shape{2, 2, 1, 2},  Shape{2, 4, 1, 2},
                                    Shape{4, 4, 1, 2},  Shape{4, 8, 1, 2},  Shape{8, 8, 1, 2},
                                    Shape{8, 16, 1, 2}, Shape{16, 16, 1, 2}};
// The shapes within a cube of 4x4x4. Larger ones are made of such cubes.
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

std::optional<Shape> host_bounds(std::int64_t chips) {
  const engine::TpuHostSize* size = engine::tpu_host_size_of(chips);
  if (size == nullptr) return std::nullopt;
  return Shape{size->x, size->y, 1};
}

Shape host_shape(std::int64_t chips) {
  return host_bounds(chips).value_or(Shape{std::max<std::int64_t>(chips, 1), 1, 1, 2});
}

Axes wraps_of(const engine::TpuGeneration& generation, const Shape& slice) {
  if (generation.wraps == engine::TpuWraps::SidesOfSixteen)
    return {slice.x == 16, slice.y == 16, slice.z == 16};
  const bool third = slice.dimensions == 3;
  const bool all = slice.x >= 4 && slice.y >= 4 && (!third || slice.z >= 4);
  return {all, all, all && third};
}

std::vector<Shape> shapes_within(const engine::TpuGeneration* generation, const Shape& slice) {
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
