// src/topology/shape.cpp: see shape.h.

#include "dra/topology/shape.h"

#include <array>

#include "dra/base/text.h"
#include "src/topology/labels.h"

namespace dra::topology {
std::optional<Shape> parse_shape(std::string_view text) {
  const auto parts = base::split(text, 'x');
  if (parts.size() != 2 && parts.size() != 3) return std::nullopt;
  std::array<std::int64_t, 3> sides = {1, 1, 1};
  std::int64_t places = 1;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto side = number_in(parts[i]);
    if (!side || *side < 1 || *side > kMaxPlaces / places) return std::nullopt;
    sides[i] = *side;
    places *= *side;
  }
  return Shape{sides[0], sides[1], sides[2], static_cast<int>(parts.size())};
}

std::string to_string(const Shape& shape) {
  return shape.dimensions == 2 ? base::format("{}x{}", shape.x, shape.y)
                               : base::format("{}x{}x{}", shape.x, shape.y, shape.z);
}

std::optional<Shape> divided(const Shape& whole, const Shape& part) {
  if (whole.x % part.x != 0 || whole.y % part.y != 0 || whole.z % part.z != 0) return std::nullopt;
  return Shape{whole.x / part.x, whole.y / part.y, whole.z / part.z, whole.dimensions};
}

}  // namespace dra::topology
