// src/snapshot/demo.cpp: the table of demos. CMake generates demo_text.h from the scenes in demo/.
// The tests use the same files (links in tests/fixtures), so a newcomer sees what the tests check.

#include "src/snapshot/demo.h"

#include <algorithm>
#include <array>

#include "demo_text.h"
#include "dra/base/text.h"
#include "dra/snapshot/load.h"

namespace dra::snapshot {
namespace {

// A demo and its scenes; the second one may be empty.
struct Scenes {
  Demo demo;
  std::string_view first;
  std::string_view second = {};
};

constexpr std::array kScenes = {
    Scenes{{"alignment",
            "GPUs, NICs and CPUs of one machine, and a pod that wants two pairs on one "
            "PCIe root"},
           kDemoAlignment},
    Scenes{{"cluster", "the demos gpu and tpu in one cluster"}, kDemoGpu, kDemoTpu},
    Scenes{{"crash", "a pod that has its GPU and crashes"}, kDemoCrash},
    Scenes{{"degraded", "a TPU v5p slice that has lost a host and a chip"}, kDemoDegraded},
    Scenes{
        {"gpu", "three A100 nodes, all in use, and a pod that waits for one of two alternatives"},
        kDemoGpu},
    Scenes{{"mig", "GPUs in MIG partitions, and a pod that wants a whole one"}, kDemoMig},
    Scenes{{"tpu", "a TPU v6e host whose eight chips one pod holds, and a replica that waits"},
           kDemoTpu},
};

}  // namespace

std::span<const Demo> demos() {
  static const auto all = [] {
    std::array<Demo, kScenes.size()> demos;
    std::ranges::transform(kScenes, demos.begin(), &Scenes::demo);
    return demos;
  }();
  return all;
}

Result<std::vector<std::string_view>> demo_scenes(std::string_view name) {
  std::vector<std::string> names;
  for (const Scenes& scenes : kScenes) {
    if (scenes.demo.name == name)
      return scenes.second.empty() ? std::vector{scenes.first}
                                   : std::vector{scenes.first, scenes.second};
    names.emplace_back(scenes.demo.name);
  }
  return Error{ErrorKind::BadInput, base::format("there is no demo \"{}\"", name),
               "the demos are: " + base::join(names, ", ")};
}

}  // namespace dra::snapshot
