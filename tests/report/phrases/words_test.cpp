// tests/report/phrases/words_test.cpp

#include "dra/report/phrases/words.h"

#include <doctest/doctest.h>

namespace dra::report::words_test {
namespace {

TEST_CASE("demands in words") {
  api::DeviceDemand demand{.device_class = "gpu"};
  CHECK(describe_demand(demand) == "1 x gpu");
  demand.count = 4;
  CHECK(describe_demand(demand) == "4 x gpu");
  demand.mode = api::kModeAll;
  CHECK(describe_demand(demand) == "all x gpu");
}

TEST_CASE("what is not there is said") {
  CHECK(or_none("") == "<none>");
  CHECK(or_none("x") == "x");
}

}  // namespace
}  // namespace dra::report::words_test
