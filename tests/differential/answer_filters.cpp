// tests/differential/answer_filters.cpp: what the filters have against a node, for filters_test.go
// to compare with the scheduler's own.
//
// Each line of input is a list of objects as JSON: the node n1, the pod default/p that looks for a
// node, and the pods on the node. It is answered by one line: the filters that say no, and the
// resources that are short, or "error" for what cannot be read.

#include <iostream>
#include <set>
#include <string>
#include <utility>

#include "dra/base/text.h"
#include "dra/engine/scheduler/node_filters.h"
#include "dra/snapshot/builder.h"

namespace {

using namespace dra;

// "the pod needs 8 cpu, and ..." is about cpu; the other reason about resources is about pods.
std::string resource_of(std::string_view message) {
  const auto words = base::split(message.substr(0, message.find(',')), ' ');
  return std::string(words.size() > 4 && words[2] == "needs" ? words[4] : "pods");
}

std::string answer(const std::string& line) {
  snapshot::Builder builder;
  if (!builder.add_text(line, "line").ok()) return "error";
  auto built = std::move(builder).build();
  if (!built.ok()) return "error";
  const snapshot::Snapshot snapshot = std::move(built).take();
  const api::Pod* pod = snapshot.find<api::Pod>("default", "p");
  const api::Node* node = snapshot.find<api::Node>("n1");
  if (pod == nullptr || node == nullptr) return "error";
  const engine::NodeLoads loads(snapshot);
  std::set<std::string> words;
  for (const diag::Reason& reason : engine::NodeFilters(snapshot, loads, *pod).against(*node)) {
    const bool of_resource =
        reason.code == diag::Code::NodeResources || reason.code == diag::Code::ExtendedResource;
    words.insert(of_resource ? resource_of(reason.message)
                             : std::string(diag::name_of(reason.code)));
  }
  return base::join(std::vector<std::string>(words.begin(), words.end()), " ");
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);)
    std::cout << answer(line) << '\n' << std::flush;
}
