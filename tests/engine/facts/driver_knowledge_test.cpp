// tests/engine/facts/driver_knowledge_test.cpp: which pods run a driver's plugin.

#include "dra/engine/facts/driver_knowledge.h"

#include <doctest/doctest.h>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::driver_knowledge_test {
namespace {

bool runs(std::string_view name, std::string_view driver, std::string_view labels = "",
          std::string_view owner = "DaemonSet") {
  const auto snapshot =
      support::scene()
          .yaml(base::format(
              "{{apiVersion: v1, kind: Pod, metadata: {{name: {}, namespace: x, labels: {{{}}}, "
              "ownerReferences: [{{kind: {}, name: d, uid: d, controller: true}}]}}}}",
              name, labels, owner))
          .build();
  return runs_plugin_of(*snapshot.find<api::Pod>("x", name), driver);
}

TEST_CASE("a driver's plugin is known by the name of its chart, or by that of the driver") {
  CHECK(runs("dra-driver-google-tpu-kubelet-plugin-4x7", "tpu.google.com"));
  CHECK(runs("nvidia-dra-driver-gpu-kubelet-plugin-4x7", "gpu.nvidia.com"));
  CHECK(runs("dranet-4x7", "dra.net"));
  CHECK(runs("gpu-acme-com-plugin-4x7", "gpu.acme.com"));
  CHECK(runs("any-4x7", "gpu.acme.com", "driver: gpu.acme.com"));
  CHECK_FALSE(runs("any-4x7", "gpu.acme.com"));
  CHECK_FALSE(runs("nvidia-device-plugin-4x7", "gpu.nvidia.com"));
  CHECK_FALSE(runs("dranet-4x7", "tpu.google.com"));
}

TEST_CASE("only a DaemonSet brings it to every node") {
  CHECK_FALSE(runs("dranet-controller-4x7", "dra.net", "", "ReplicaSet"));
}

TEST_CASE("only TPUs are handed out by the host") {
  CHECK(knowledge_of("tpu.google.com")->whole_hosts);
  CHECK_FALSE(knowledge_of("gpu.nvidia.com")->whole_hosts);
  CHECK(knowledge_of("gpu.acme.com") == nullptr);
}

}  // namespace
}  // namespace dra::engine::driver_knowledge_test
