// tests/render/redraw_test.cpp

#include "dra/render/redraw.h"

#include <doctest/doctest.h>

namespace dra::render::redraw_test {
namespace {

TEST_CASE("each line is written over the one before it, and what is below is cleared") {
  CHECK(drawn_over("a\nbc\n", {.width = 80, .height = 24}) ==
        "\x1b[?7l\x1b[Ha\x1b[K\nbc\x1b[K\n\x1b[J\x1b[?7h");
}

TEST_CASE("a text that is too long for the screen ends with a line that says so") {
  CHECK(drawn_over("1\n2\n3\n4\n5\n", {.width = 80, .height = 5}) ==
        "\x1b[?7l\x1b[H1\x1b[K\n2\x1b[K\n3\x1b[K\n(2 more lines)\x1b[K\n\x1b[J\x1b[?7h");
  CHECK(drawn_over("1\n2\n3\n4\n", {.width = 80, .height = 5}).find("more") == std::string::npos);
}

TEST_CASE("what stood on the screen can be scrolled back to") {
  CHECK(room_to_draw({.width = 80, .height = 3}) == "\n\n");
}

}  // namespace
}  // namespace dra::render::redraw_test
