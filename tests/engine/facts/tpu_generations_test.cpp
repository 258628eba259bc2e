// tests/engine/facts/tpu_generations_test.cpp: the table against what Google's documentation says.

#include "dra/engine/facts/tpu_generations.h"

#include <doctest/doctest.h>

namespace dra::engine::tpu_generations_test {
namespace {

TEST_CASE("generations are known by their own name and by that of the accelerator") {
  CHECK(tpu_generation_of("v5p") == tpu_generation_of("tpu-v5p-slice"));
  CHECK(tpu_generation_of("tpu7x")->dimensions == 3);
  CHECK(tpu_generation_of("v6e")->dimensions == 2);
  CHECK(tpu_generation_of("v99") == nullptr);
  CHECK(tpu_generation_of("") == nullptr);
}

}  // namespace
}  // namespace dra::engine::tpu_generations_test
