// tests/golden/field_own_supply_test.cpp: a driver that is missing, down, or without devices on a
// node that the pod could use.

#include <doctest/doctest.h>

#include "tests/golden/field_row.h"

namespace dra::field_own_supply_test {
namespace {

using golden::Row;

constexpr auto kFails = cmd::ExitCode::Found;

const std::vector<Row> kOthers = {
    {"own/runtime-is-docker",
     "explain pod infer-1 -n ml",
     kFails,
     {"node n-b runs Docker (docker://28.1.0), through which a container may not get its devices",
      "pod ml/infer-3 crashes there, too, and pod ml/infer-2 runs on node n-a (containerd://2.1.4)",
      "cri-dockerd"},
     {"The program itself fails"},
     {"n-b runs Docker", "1 error"}},
    {"own/all-crash-on-one-node",
     "explain pod infer-1 -n ml",
     kFails,
     {"every pod with devices of gpu.acme.com crashes on node n-b, and not on others",
      "Look for what differs on node n-b"},
     {"The program itself fails", "Docker"},
     {"every pod with devices of gpu.acme.com crashes on node n-b", "1 error"}},
};

TEST_CASE("other causes on nodes, and their words") {
  for (const Row& row : kOthers)
    golden::check_row(row, {});
}

}  // namespace
}  // namespace dra::field_own_supply_test
