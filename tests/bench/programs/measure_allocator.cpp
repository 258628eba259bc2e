// tests/bench/programs/measure_allocator.cpp: the time in which the engine evaluates all nodes for
// a claim, for ../allocator_test.go to compare with upstream's allocator. `measure_allocator FOLDER
// CLAIM ROUNDS` prints a line of JSON, with the median of the rounds: of that alone, and together
// with what cannot hold together and what would help. The folder has pages as a server sends them,
// NUMBER.RESOURCE.

#include <sys/prctl.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "dra/base/files.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/scheduler/node_result.h"
#include "dra/engine/whatif/advice.h"
#include "dra/engine/whatif/conflicts.h"
#include "dra/snapshot/builder.h"

namespace {

using namespace dra;

// Bytes that the process had at most.
long peak_memory() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    long kilobytes = 0;
    if (word == "VmHWM:" && status >> kilobytes) return kilobytes * 1024;
  }
  return 0;
}

Result<snapshot::Snapshot> read_pages(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    files.push_back(entry.path());
  std::ranges::sort(files);
  snapshot::Builder builder;
  for (const auto& file : files) {
    const std::string resource = file.extension().string().substr(1);
    for (const api::KindInfo& kind : api::all_kinds()) {
      if (kind.resource != resource) continue;
      base::Page page(DRA_TRY(base::read_file(file.string())));
      DRA_TRY(builder.add_page(std::move(page), kind.kind, "v1"));
    }
  }
  return std::move(builder).build();
}

struct Totals {
  std::size_t fits = 0;
  std::size_t reasons = 0;
  std::size_t undecided = 0;
  std::size_t advice = 0;
};

// `help`: also what would let the claim fit.
Totals look_at_all(const snapshot::Snapshot& snapshot, const std::string& claim, bool help) {
  const engine::Inventory inventory(snapshot);
  const engine::Subject subject = engine::subject_of_claims(snapshot, "default", {claim});
  const engine::Demands demands(snapshot, inventory, subject);
  engine::SearchBudget budget;
  const engine::NodeContext context{inventory, snapshot.coverage(), demands, budget};
  Totals totals;
  engine::NodeEvaluator evaluator(snapshot, context, subject);
  std::vector<engine::NodeResult> nodes;
  const engine::Nodes all = engine::nodes_of(snapshot);
  nodes.reserve(all.nodes.size());
  for (const api::Node& node : all.nodes) {
    nodes.push_back(evaluator.evaluate(node));
    totals.fits += nodes.back().fits() ? 1 : 0;
    totals.undecided += nodes.back().fits() || nodes.back().does_not_fit() ? 0 : 1;
    totals.reasons += nodes.back().reasons.size();
  }
  if (!help) return totals;
  const engine::NodeLoads loads(snapshot);
  const engine::Simulator simulator(snapshot, inventory, loads);
  const engine::Wanted wanted{.namespace_ = "default", .pod = {}, .claims = {claim}};
  const auto conflicts = engine::conflicts_of(simulator, wanted, nodes);
  const auto found = engine::advice_for(simulator, wanted, nodes);
  totals.advice = conflicts.conflicts.empty() ? 0 : found.advice.size();
  return totals;
}

// The median of the rounds, in nanoseconds.
double measure(const snapshot::Snapshot& snapshot, const std::string& claim, long rounds, bool help,
               Totals& totals) {
  std::vector<double> nanoseconds;
  for (long i = 0; i < rounds; ++i) {
    const auto start = std::chrono::steady_clock::now();
    totals = look_at_all(snapshot, claim, help);
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
    nanoseconds.push_back(taken.count());
  }
  std::ranges::sort(nanoseconds);
  return nanoseconds[nanoseconds.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: measure_allocator FOLDER CLAIM ROUNDS\n";
    return 1;
  }
  // Memory is counted as it is asked for, whatever pages the machine likes to give.
  prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
  // What the libraries take is the same for a cluster of any size.
  const long without_cluster = peak_memory();
  const auto snapshot = read_pages(argv[1]);
  if (!snapshot.ok()) {
    std::cerr << snapshot.error().message << "\n";
    return 1;
  }
  const long rounds = std::strtol(argv[3], nullptr, 10);
  Totals totals;
  const double plain = measure(snapshot.value(), argv[2], rounds, false, totals);
  const long memory = peak_memory() - without_cluster;
  std::cout << "{\"nanoseconds\":" << plain << ",\"fits\":" << totals.fits
            << ",\"reasons\":" << totals.reasons << ",\"undecided\":" << totals.undecided
            << ",\"memory\":" << memory;
  if (totals.fits == 0) {
    std::cout << ",\"withHelp\":" << measure(snapshot.value(), argv[2], rounds, true, totals)
              << ",\"advice\":" << totals.advice;
  }
  std::cout << "}\n";
}
