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

constexpr std::array<Demo, 3> kDemos = {{
    {"cluster", "both scenes below in one cluster"},
    {"gpu", "three A100 nodes, all in use, and a pod that waits for one of two alternatives"},
    {"tpu", "a TPU v6e host whose eight chips one pod holds, and a replica that waits"},
}};

}  // namespace

std::span<const Demo> demos() { return kDemos; }

Result<std::vector<std::string_view>> demo_scenes(std::string_view name) {
  if (name == "gpu") return std::vector<std::string_view>{kDemoGpu};
  if (name == "tpu") return std::vector<std::string_view>{kDemoTpu};
  if (name == "cluster") return std::vector<std::string_view>{kDemoGpu, kDemoTpu};
  std::vector<std::string> names;
  names.reserve(kDemos.size());
  for (const Demo& demo : kDemos)
    names.emplace_back(demo.name);
  return Error{ErrorKind::BadInput, base::format("there is no demo \"{}\"", name),
               "the demos are: " + base::join(names, ", ")};
}

}  // namespace dra::snapshot
