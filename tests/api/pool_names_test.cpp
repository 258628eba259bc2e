// tests/api/pool_names_test.cpp: numbers of pools.

#include "dra/api/pool_names.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::api::pool_names_test {
namespace {

TEST_CASE("slices and allocations of one pool have its number, whatever order they come in") {
  const auto snapshot =
      support::scene()
          .claim("c", support::exactly("gpu", 1),
                 support::allocated("{device: d, pool: z}, {device: d, pool: gone}"))
          .slice({.name = "s1", .pool = "z", .devices = "{name: d}"})
          .slice({.name = "s2", .driver = "a.example.com", .pool = "z", .devices = "{name: d}"})
          .slice({.name = "s3", .pool = "z", .generation = 2, .devices = "{name: d}"})
          .build();
  const auto& slices = snapshot.all<ResourceSlice>();
  const auto& results = snapshot.all<ResourceClaim>().front().status.allocation->devices.results;
  CHECK(slices[0].spec.pool.number == results[0].pool_number);
  CHECK(slices[2].spec.pool.number == results[0].pool_number);
  CHECK(slices[1].spec.pool.number != results[0].pool_number);
  std::vector<std::string> sorted;
  for (const std::uint32_t number : snapshot.pools().sorted()) {
    const PoolName& name = snapshot.pools().names()[number];
    sorted.push_back(base::format("{}/{}", name.driver, name.pool));
  }
  CHECK(base::join(sorted, " ") == "a.example.com/z gpu.example.com/gone gpu.example.com/z");
}

}  // namespace
}  // namespace dra::api::pool_names_test
