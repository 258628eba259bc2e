// tests/report/describe/describe_selectors_test.cpp

#include "src/report/describe/describe_selectors.h"

#include <doctest/doctest.h>

#include "tests/report/describe/describe_text.h"

namespace dra::report::describe_selectors_test {
namespace {

using support::exactly;
using support::Scene;
using support::scene;

// A claim of the class `gpu`, which has every device, with these selectors.
std::string about(std::string_view selectors, std::string_view status = "") {
  const Scene words =
      scene()
          .slice({.name = "s",
                  .devices = "{name: a, attributes: {model: {string: big}, mig: {bool: true}}}, "
                             "{name: b, attributes: {model: {string: big}, mig: {bool: false}}}, "
                             "{name: c, attributes: {model: {string: small}, mig: {bool: true}}}"})
          .slice({.name = "t", .driver = "nic.com", .devices = "{name: nic}"})
          .claim("c", exactly("gpu", 1, "selectors: [" + std::string(selectors) + "]"), status);
  return text_about<api::ResourceClaim>(words, "c", describe_claim);
}

constexpr const char* kGpu = "{cel: {expression: 'device.driver == \"gpu.example.com\"'}}";

struct Row {
  const char* name;
  std::string selectors;
  const char* says;
  const char* not_says = nullptr;
};

TEST_CASE("what each selector of a request matches") {
  const std::string gpu = std::string(kGpu) + ", ";
  const Row rows[] = {
      {"alone", kGpu, "\n 3 of 4 devices, 3 free\n", "excluded"},
      {"with those above",
       gpu + "{cel: {expression: '!device.attributes[\"gpu.example.com\"].?mig.orValue(false)'}}",
       "\n 2 of 4 devices, 1 with all above, 1 free\n"},
      {"the condition that excludes most, but not other drivers' devices",
       "{cel: {expression: 'device.driver == \"gpu.example.com\" && "
       "device.attributes[\"gpu.example.com\"].mig && "
       "device.attributes[\"gpu.example.com\"].model == \"tiny\"'}}",
       "\n 0 of 4 devices; 2 excluded by device.attributes[\"gpu.example.com\"].model == "
       "\"tiny\"\n"},
      {"one that fails", "{cel: {expression: 'device.attributes[\"gpu.example.com\"].mig'}}",
       "\n 2 of 4 devices, 2 free, fails for 1\n"},
      {"what fails is odd, with the request",
       "{cel: {expression: 'device.attributes[\"gpu.example.com\"].mig'}}",
       "Request gpu: selector #0 fails for 1 device: no such key: mig (nic.com/pool/nic)."},
      {"one that does not compile", "{cel: {expression: x}}", "\n does not compile\n"},
      {"what may have been meant",
       gpu + "{cel: {expression: 'device.attributes[\"gpu.example.com\"].model == \"Big\"'}}",
       "Did you mean \"big\" instead of \"Big\"? It matches 2 devices: "
       "device.attributes[\"gpu.example.com\"].model == \"big\""},
      {"and of one that does not compile", "{cel: {expression: 'device.driver = \"nic.com\"'}}",
       "Did you mean this? It matches 1 device: device.driver == \"nic.com\""},
      {"nothing of what the class has", gpu + "{cel: {expression: 'device.driver == \"nic.com\"'}}",
       "Request gpu matches no device, of 4 in the cluster."},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const std::string text = about(row.selectors);
    CAPTURE(text);
    CHECK(text.find(row.says) != std::string::npos);
    if (row.not_says != nullptr) CHECK(text.find(row.not_says) == std::string::npos);
  }
}

TEST_CASE("a claim that has its devices needs no selector any more") {
  const std::string text =
      about("{cel: {expression: 'false'}}", support::allocated("{device: a, pool: pool}"));
  CHECK(text.find("matches no") == std::string::npos);
  CHECK(text.find("0 of 4 devices") != std::string::npos);
}

TEST_CASE("a request chooses among the devices of its class") {
  const Scene words =
      scene()
          .yaml(
              "{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: nic}, spec: "
              "{selectors: [{cel: {expression: 'device.driver == \"nic.com\"'}}]}}")
          .slice("n1", {"a"})
          .slice({.name = "t", .driver = "nic.com", .devices = "{name: nic}"})
          .claim("c", exactly("nic", 1, std::string("selectors: [") + kGpu + "]"));
  const std::string text = text_about<api::ResourceClaim>(words, "c", describe_claim);
  CAPTURE(text);
  CHECK(text.find("Request nic matches no device, of 1 that its class selects.") !=
        std::string::npos);
  CHECK(text.find("class device.driver == \"nic.com\"\n 1 of 2 devices\nselector") !=
        std::string::npos);
  CHECK(text.find("\n 1 of 2 devices, 0 with all above") != std::string::npos);
}

}  // namespace
}  // namespace dra::report::describe_selectors_test
