// tests/bench/programs/measure_cel.cpp: how long the selector engine takes, for ../cel_test.go to
// compare with upstream's. `measure_cel WHAT COUNT` does WHAT so many times and prints nanoseconds
// for each.

#include <chrono>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "dra/engine/selectors/fleet.h"
#include "dra/engine/selectors/selector.h"

namespace {

using namespace dra;
using engine::Language;
using engine::Selector;

constexpr const char* kSelector =
    "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'gpu'";
constexpr const char* kFleetSelectors[] = {
    kSelector,
    "device.attributes['gpu.nvidia.com'].productName == 'NVIDIA H100 80GB HBM3' && "
    "device.capacity['gpu.nvidia.com'].memory.compareTo(quantity('40Gi')) >= 0",
    "has(device.attributes['resource.kubernetes.io'].pcieRoot) && "
    "device.attributes['gpu.nvidia.com'].driverVersion.isGreaterThan(semver('550.0.0'))",
};

// Texts outlive the devices that point into them.
struct Texts {
  std::string uuid;
  std::string name;
  std::string root;
};

api::DeviceAttribute text(std::string_view value) { return api::DeviceAttribute::string(value); }

api::DeviceAttribute version(std::string_view value) {
  return api::DeviceAttribute::version(value);
}

// A GPU as its driver publishes it: some attributes are its own, most are those of its kind.
api::Device gpu(const Texts& own, int index) {
  api::Device device{.name = own.name};
  device.attributes = {{"architecture", text("Hopper")},
                       {"brand", text("Nvidia")},
                       {"cudaComputeCapability", version("9.0.0")},
                       {"cudaDriverVersion", version("13.0.0")},
                       {"driverVersion", version("580.95.5")},
                       {"index", api::DeviceAttribute::integer(index)},
                       {"productName", text("NVIDIA H100 80GB HBM3")},
                       {"resource.kubernetes.io/pcieRoot", text(own.root)},
                       {"type", text("gpu")},
                       {"uuid", text(own.uuid)}};
  device.capacity = {{"memory", {.value = {"81559Mi"}}}};
  return device;
}

// Nanoseconds for each of `count` times.
double measure(long count, const std::function<void()>& work) {
  work();
  const auto start = std::chrono::steady_clock::now();
  for (long i = 0; i < count; ++i)
    work();
  const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
  return taken.count() / static_cast<double>(count);
}

double measure_compile(long count) {
  return measure(count, [] {
    const Selector selector(kSelector, Language{});
    if (selector.failure()) std::abort();
  });
}

// As the first and only question about a device: its value is made anew each time.
double measure_evaluate(long count) {
  const Selector selector(kSelector, Language{});
  const Texts texts{"GPU-4404041a-04cf-1ccf-9e70-f139a9b1e23c", "gpu-0", "pci0000:00"};
  const api::Device device = gpu(texts, 0);
  engine::DeviceValue value;
  cel::Run run;
  return measure(count, [&] {
    value.set("gpu.nvidia.com", device);
    if (!selector.evaluate(value, run).matches) std::abort();
  });
}

double measure_fleet(long count) {
  constexpr int nodes = 5000;
  constexpr int devices_of_node = 8;
  std::vector<Texts> texts;
  for (int i = 0; i < nodes * devices_of_node; ++i) {
    const std::string number = std::to_string(i);
    texts.push_back({"GPU-4404041a-04cf-1ccf-9e70-" + number, "gpu-" + number,
                     "pci0000:" + std::to_string(i % devices_of_node)});
  }
  std::vector<api::Device> devices;
  for (std::size_t i = 0; i < texts.size(); ++i)
    devices.push_back(gpu(texts[i], static_cast<int>(i % devices_of_node)));
  std::vector<engine::Candidate> candidates;
  for (const api::Device& device : devices)
    candidates.push_back({"gpu.nvidia.com", &device});
  return measure(count, [&candidates] {
    const engine::Fleet fleet(candidates);
    for (const char* expression : kFleetSelectors) {
      const Selector selector(expression, Language{});
      if (engine::FleetAnswer(selector, fleet).matches() != fleet.size()) std::abort();
    }
  });
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, double (*)(long)> kinds{
      {"compile", measure_compile}, {"evaluate", measure_evaluate}, {"fleet", measure_fleet}};
  const auto kind = argc == 3 ? kinds.find(argv[1]) : kinds.end();
  if (kind == kinds.end()) {
    std::cerr << "usage: measure_cel compile|evaluate|fleet COUNT\n";
    return 1;
  }
  std::cout << kind->second(std::strtol(argv[2], nullptr, 10)) << "\n";
}
