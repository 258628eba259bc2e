// tests/topology/tpu_shapes_test.cpp: shapes against what Google's documentation says.

#include "dra/topology/tpu_shapes.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"

namespace dra::topology::tpu_shapes_test {
namespace {

std::string shapes_in(std::string_view slice, std::string_view generation = "v5p") {
  std::vector<std::string> shapes;
  for (const Shape& shape :
       shapes_within(engine::tpu_generation_of(generation), *parse_shape(slice)))
    shapes.push_back(to_string(shape));
  return base::join(shapes, " ");
}

std::string wraps(std::string_view generation, std::string_view slice) {
  const auto found = wraps_of(*engine::tpu_generation_of(generation), *parse_shape(slice));
  return base::format("{}{}{}", found[0] ? "x" : "", found[1] ? "y" : "", found[2] ? "z" : "");
}

TEST_CASE("links wrap around long sides") {
  CHECK(wraps("v5p", "4x4x4") == "xyz");
  CHECK(wraps("v5p", "2x4x4").empty());
  CHECK(wraps("v6e", "8x16") == "y");
  CHECK(wraps("v6e", "16x16") == "xy");
  CHECK(wraps("v6e", "4x8").empty());
}

TEST_CASE("chips of a host") {
  CHECK(*host_bounds(8) == Shape{2, 4, 1});
  CHECK(*host_bounds(4) == Shape{2, 2, 1});
  CHECK(*host_bounds(2) == Shape{1, 2, 1});
  CHECK_FALSE(host_bounds(3));
}

TEST_CASE("what can be cut from a slice") {
  CHECK(shapes_in("4x8") == "1x1 2x2 2x4 4x4 4x8");
  CHECK(shapes_in("2x2x4") == "2x2x1 2x2x2 2x2x4");
  CHECK(shapes_in("4x4x8") == "2x2x1 2x2x2 2x2x4 2x4x4 4x4x4 4x4x8");
  CHECK(shapes_in("3x3") == "1x1 2x2 3x3");
  // Only of some generations no side of a slice is longer than the one after it.
  CHECK(shapes_in("8x8x4", "v4") == "2x2x1 2x2x2 2x2x4 2x4x4 4x4x4 4x8x4 8x4x4 8x8x4");
  CHECK(shapes_in("8x8x4", "v5p") == "2x2x1 2x2x2 2x2x4 2x4x4 4x4x4 8x8x4");
}

}  // namespace
}  // namespace dra::topology::tpu_shapes_test
