// tests/golden/field_advice_test.cpp: the order of advice, and advice about where devices and pods
// are, in clusters of their own. What must be said of each is the key fact in the first line of its
// file.

#include <doctest/doctest.h>

#include "tests/golden/field_row.h"

namespace dra::field_advice_test {
namespace {

using golden::Row;

constexpr auto kFails = cmd::ExitCode::Found;

const std::vector<Row> kRows = {
    {"own/crashing-holder-before-new-node",
     "explain pod score-0 -n lab -o wide",
     kFails,
     {"1. delete pod lab/probe-0 (", "kubectl delete pod probe-0", "2. add a node like hk-1"},
     {"kubectl delete pod serve-0"},
     {"Container main crashes"}},
    {"own/new-node-before-working-holder",
     "explain pod score-0 -n lab -o wide",
     kFails,
     {"1. add a node like hk-1 (node pool npu-group)", "2. delete pod lab/serve-0 (",
      "kubectl delete pod serve-0"},
     {},
     {"in use by pod lab/serve-0"}},
    {"own/pairs-on-two-roots",
     "explain pod ring-0 -o wide",
     kFails,
     {"1. split the requests of constraint 0 into 2 parts (acc and fab, acc-2 and fab-2)",
      R"({"op":"copy","path":"/spec/devices/requests/-","from":"/spec/devices/requests/0"})",
      R"({"requests":["acc-2","fab-2"],"matchAttribute":"resource.kubernetes.io/pcieRoot"})",
      "2. remove constraint 0"},
     {"instead of resource.kubernetes.io/pcieRoot"},
     {"No PCIe root has 2 free devices for acc"}},
    {"own/roots-of-one-numa-node",
     "explain pod flow-0 -o wide",
     kFails,
     {"1. match resource.kubernetes.io/numaNode instead of resource.kubernetes.io/pcieRoot",
      "(fits on 2 nodes)", R"("value":"resource.kubernetes.io/numaNode")"},
     {"split the requests"},
     {"No PCIe root has 1 free device for acc"}},
    {"own/node-selector-keeps-away",
     "explain pod encode-6c9d-k2x4p -n media -o wide",
     kFails,
     {"1. change nodeSelector rack=r4, which keeps it away, to rack=r5 (fits on 2 nodes)",
      "kubectl patch deployment encode -n media --type=json",
      R"("path":"/spec/template/spec/nodeSelector/rack","value":"r5")"},
     {"devices of another kind"},
     {"nodeSelector rack=r4 does not match"}},
    {"own/affinity-to-another-model",
     "explain pod render-0 -n media -o wide",
     kFails,
     {"1. add a node like mg-1",
      "3. accept vpu.magnus.io/model=M7 in required node affinity vpu.magnus.io/model=M9",
      "(devices of another kind)"},
     {},
     {"vpu.magnus.io/model=M9 does not match"}},
};

TEST_CASE("what is advised first, where devices are apart, and where labels keep a pod away") {
  for (const Row& row : kRows)
    golden::check_row(row, {});
}

}  // namespace
}  // namespace dra::field_advice_test
