// tests/bench/programs/measure_manifests.cpp: how long validation of manifests takes, for
// ../manifests_test.go. `measure_manifests WHAT COUNT` does WHAT with so many manifests of three
// documents and prints nanoseconds for each: "events" only reads them with yaml-cpp's event parser,
// "validate" finds what is wrong. `measure_manifests file NAME` reads that file with yaml-cpp's
// event parser.

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>

#include "dra/answers/validate/validation.h"
#include "dra/base/text.h"

namespace {

using namespace dra;

// A template, a class and a pod, as people write them; no two manifests are equal.
std::string manifest(int number) {
  return base::format(
      "# What a training job needs.\n"
      "apiVersion: resource.k8s.io/v1\n"
      "kind: ResourceClaimTemplate\n"
      "metadata:\n"
      "  name: gpu-and-nic-{0}\n"
      "  namespace: ml\n"
      "  labels: {{app: train, team: research}}\n"
      "spec:\n"
      "  spec:\n"
      "    devices:\n"
      "      requests:\n"
      "      - name: gpu\n"
      "        exactly:\n"
      "          deviceClassName: gpu.nvidia.com\n"
      "          count: 2\n"
      "          selectors:\n"
      "          - cel:\n"
      "              expression: device.attributes['gpu.nvidia.com'].index < {0}\n"
      "      - name: nic\n"
      "        exactly: {{deviceClassName: dra.net}}\n"
      "      constraints:\n"
      "      - requests: [gpu, nic]\n"
      "        matchAttribute: resource.kubernetes.io/pcieRoot\n"
      "---\n"
      "apiVersion: resource.k8s.io/v1\n"
      "kind: DeviceClass\n"
      "metadata:\n"
      "  name: gpu-{0}.example.com\n"
      "spec:\n"
      "  selectors:\n"
      "  - cel:\n"
      "      expression: device.driver == 'gpu-{0}.example.com'\n"
      "---\n"
      "apiVersion: v1\n"
      "kind: Pod\n"
      "metadata:\n"
      "  name: train-{0}\n"
      "  namespace: ml\n"
      "spec:\n"
      "  restartPolicy: Never\n"
      "  containers:\n"
      "  - name: train\n"
      "    image: registry.example.com/train:1.{0}\n"
      "    command: [python, -m, train, --steps, '1000']\n"
      "    env:\n"
      "    - {{name: MODE, value: fast}}\n"
      "    resources:\n"
      "      limits: {{cpu: '8', memory: 64Gi}}\n"
      "      claims: [{{name: devices}}]\n"
      "  resourceClaims:\n"
      "  - name: devices\n"
      "    resourceClaimTemplateName: gpu-and-nic-{0}\n",
      number);
}

class Ignoring final : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

void read_events(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    std::istringstream in(text);
    YAML::Parser parser(in);
    Ignoring handler;
    while (parser.HandleNextDocument(handler)) {
    }
  }
}

void validate(const std::vector<std::string>& texts) {
  const checks::ManifestChecker checker{snapshot::Server()};
  answers::Validation validation;
  for (const std::string& text : texts)
    answers::validate(answers::read_manifest("manifest.yaml", text), checker, validation);
  if (validation.objects != texts.size() * 3 || !validation.findings.empty()) {
    std::cerr << validation.findings.size() << " findings in " << validation.objects
              << " objects\n";
    std::exit(1);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 1;
  const std::string what = argv[1];
  std::vector<std::string> texts;
  if (what == "file") {
    std::ifstream file(argv[2], std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  } else {
    for (int number = 0; number < std::atoi(argv[2]); ++number)
      texts.push_back(manifest(number));
  }
  const auto start = std::chrono::steady_clock::now();
  what == "validate" ? validate(texts) : read_events(texts);
  const std::chrono::nanoseconds taken = std::chrono::steady_clock::now() - start;
  std::cout << taken.count() / static_cast<std::int64_t>(texts.size()) << '\n';
}
