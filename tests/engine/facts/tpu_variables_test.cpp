// tests/engine/facts/tpu_variables_test.cpp: names of what the TPU driver sets.

#include "dra/engine/facts/tpu_variables.h"

#include <doctest/doctest.h>

namespace dra::engine::tpu_variables_test {
namespace {

TEST_CASE("what says how chips lie is the driver's") {
  CHECK(is_set_by_tpu_driver("TPU_HOST_BOUNDS"));
  CHECK(is_set_by_tpu_driver("HOST_BOUNDS"));
  CHECK(is_set_by_tpu_driver("TPU_ACCELERATOR_TYPE"));
  // Of several hosts somebody else sets it, and this may be anybody's.
  CHECK_FALSE(is_set_by_tpu_driver("TPU_WORKER_ID"));
  CHECK_FALSE(is_set_by_tpu_driver("WRAP"));
  CHECK_FALSE(is_set_by_tpu_driver("PATH"));
}

TEST_CASE("older names know what has replaced them") {
  REQUIRE(tpu_variable("WRAP") != nullptr);
  CHECK(tpu_variable("WRAP")->newer == "TPU_TOPOLOGY_WRAP");
  CHECK(tpu_variable("TPU_TOPOLOGY_WRAP")->newer.empty());
  CHECK(tpu_variable("PATH") == nullptr);
}

}  // namespace
}  // namespace dra::engine::tpu_variables_test
