// tests/topology/shape_test.cpp

#include "dra/topology/shape.h"

#include <doctest/doctest.h>

namespace dra::topology::shape_test {
namespace {

TEST_CASE("shapes are two or three sides") {
  CHECK(to_string(*parse_shape("2x4")) == "2x4");
  CHECK(to_string(*parse_shape("2x2x4")) == "2x2x4");
  CHECK(parse_shape("2x2x4")->size() == 16);
  for (const char* text : {"", "4", "2x", "x4", "2x4x", "2x0", "-2x4", "2x4x4x4", "2 x4", "+2x4",
                           "99999999999999999999x1", "65536x2", "256x256x2"})
    CHECK_MESSAGE(!parse_shape(text), text);
}

TEST_CASE("places are numbered along x, then y, then z") {
  const Shape shape = *parse_shape("2x4");
  CHECK(shape.at(0) == Coord{0, 0, 0});
  CHECK(shape.at(1) == Coord{1, 0, 0});
  CHECK(shape.at(7) == Coord{1, 3, 0});
  const Shape cube = *parse_shape("2x3x4");
  for (std::int64_t i = 0; i < cube.size(); ++i)
    CHECK(cube.number_of(cube.at(i)) == i);
}

TEST_CASE("hosts of a slice: its sides divided by those of a host") {
  CHECK(to_string(*divided(*parse_shape("2x2x4"), *parse_shape("2x2x1"))) == "1x1x4");
  CHECK(to_string(*divided(*parse_shape("4x8"), Shape{2, 2, 1})) == "2x4");
  CHECK_FALSE(divided(*parse_shape("2x2"), *parse_shape("2x4")));
}

}  // namespace
}  // namespace dra::topology::shape_test
