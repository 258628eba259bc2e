// tests/base/numbered_test.cpp: what is a number, and what merely ends with digits.

#include "dra/base/numbered.h"

#include <doctest/doctest.h>

namespace dra::base::numbered_test {
namespace {

TEST_CASE("a number and nothing else") {
  CHECK(number_in("0") == 0);
  CHECK(number_in("017") == 17);
  CHECK(number_in("9223372036854775807") == 9223372036854775807);
  for (const char* text : {"", "-1", "+1", " 1", "1 ", "1.0", "0x1", "9223372036854775808"})
    CHECK_MESSAGE(!number_in(text), text);
}

TEST_CASE("names with a number at their end") {
  CHECK(split_number("memory-slice-3").name == "memory-slice-");
  CHECK(split_number("memory-slice-3").number == 3);
  CHECK(split_number("12").name.empty());
  CHECK(split_number("12").number == 12);
  CHECK(split_number("gpu-a").name == "gpu-a");
  CHECK_FALSE(split_number("gpu-a").number);
  CHECK_FALSE(split_number("gpu-99999999999999999999").number);
}

}  // namespace
}  // namespace dra::base::numbered_test
