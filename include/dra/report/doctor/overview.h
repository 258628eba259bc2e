// include/dra/report/doctor/overview.h
//
// `kubectl dra` without a command: devices, free devices, waiting pods and problems on one screen.
// The numbers come first because they are few. Problems follow as far as they fit, the worst first,
// each with the command that explains it.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/answers/problems/problems.h"
#include "dra/report/lists/list_drivers.h"
#include "dra/report/phrases/scene.h"

namespace dra::report {

// Each claim counts once, in the first state that applies.
struct ClaimCounts {
  std::int64_t total = 0;
  std::int64_t deleting = 0;   // with a deletion timestamp, allocated or not
  std::int64_t pending = 0;    // not allocated
  std::int64_t reserved = 0;   // allocated and reserved
  std::int64_t allocated = 0;  // allocated and not reserved
};

struct Overview {
  std::string namespace_;  // namespace of claims, pods and problems; empty: all
  std::vector<engine::DriverSummary> drivers;
  std::optional<ClaimCounts> claims;                    // no value: not readable
  std::optional<std::vector<const api::Pod*>> waiting;  // the oldest first; no value: not readable
  snapshot::Server server;
  snapshot::Coverage coverage;
  std::vector<answers::Problem> problems;  // the worst first
};
Overview overview_of(const Scene& scene, std::string_view ns,
                     diag::Detail detail = diag::Detail::Screen);

// The source of the state, and the flags for further questions about it.
struct OverviewSource {
  std::string kind;     // "context", "server", "demo", "snapshot"
  std::string name;     // name of the context, the demo or the files
  std::string program;  // "kubectl dra"
  std::string flags;    // flags of every proposed command, quoted for a shell: " --demo"

  // The whole command line; `words` follow the program's name.
  std::string command(std::string_view words) const;
};

json::Value to_json(const Overview& overview, const OverviewSource& source);

struct OverviewViewOptions {
  base::Instant now = {};  // the time that ages are relative to
  bool wide = false;       // every problem, nothing folded
};
view::Document to_view(const Overview& overview, const OverviewSource& source,
                       const OverviewViewOptions& options);

}  // namespace dra::report
