// include/dra/topology/shape.h
//
// Grids of chips and of hosts: their sides, and coordinates in them. Numbers run along x first,
// then y, then z, as the runtimes of TPUs number chips and hosts.

#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dra::topology {

// From 0 in each direction.
struct Coord {
  std::int64_t x = 0;
  std::int64_t y = 0;
  std::int64_t z = 0;

  friend auto operator<=>(const Coord&, const Coord&) = default;
};

struct Shape {
  std::int64_t x = 1;
  std::int64_t y = 1;
  std::int64_t z = 1;
  int dimensions = 3;  // number of sides that are written: 2 for "2x4", whose z is 1

  std::int64_t size() const { return x * y * z; }
  // In the order of numbering.
  Coord at(std::int64_t number) const { return {number % x, number / x % y, number / (x * y)}; }
  std::int64_t number_of(const Coord& at) const { return at.x + x * (at.y + y * at.z); }
  bool fits_into(const Shape& whole) const { return x <= whole.x && y <= whole.y && z <= whole.z; }

  friend bool operator==(const Shape& a, const Shape& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
  }
};

// A flag for each of the axes x, y, z.
using Axes = std::array<bool, 3>;

// A slice of more places is a mistake, or malice.
inline constexpr std::int64_t kMaxPlaces = 65'536;

// "2x4", "2x2x4": two or three sides, each at least 1, at most kMaxPlaces places.
std::optional<Shape> parse_shape(std::string_view text);
std::string to_string(const Shape& shape);

// How often `part` fits into `whole` along each side. No value: it leaves a rest.
std::optional<Shape> divided(const Shape& whole, const Shape& part);

}  // namespace dra::topology
