// include/dra/report/doctor/overview.h
//
// `kubectl dra` alone: what devices there are, what is free, who waits, and what is wrong, on one
// screen. The numbers come first because they are few; of the problems as many as fit, worst first,
// each with the command that explains it.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/report/doctor/problems.h"
#include "dra/report/lists/list_drivers.h"

namespace dra::report {

// Each claim counts once, in the first of these that is true of it.
struct ClaimCounts {
  std::int64_t total = 0;
  std::int64_t deleting = 0;   // with a deletion timestamp, whatever else it is
  std::int64_t pending = 0;    // not allocated
  std::int64_t reserved = 0;   // allocated, and some pod may use it
  std::int64_t allocated = 0;  // allocated, and nobody uses it
};

struct Overview {
  std::string namespace_;  // that claims, pods and problems are of; empty: all
  std::vector<DriverRow> drivers;
  std::optional<ClaimCounts> claims;                    // none if they could not be read
  std::optional<std::vector<const api::Pod*>> waiting;  // the oldest first; likewise
  std::vector<Problem> problems;                        // worst first
};
Overview overview_of(const Scene& scene, std::string_view ns, Detail detail = Detail::Screen);

// Where the state came from, and how to ask further about it.
struct OverviewSource {
  std::string kind;     // "context", "server", "demo", "snapshot"
  std::string name;     // of the context, the demo, the files
  std::string program;  // "kubectl dra"
  std::string flags;    // " --demo": what every further command needs, quoted for a shell

  // The whole line, for words that stand behind the program's name.
  std::string command(std::string_view words) const;
};

json::Value to_json(const Overview& overview, const Scene& scene, const OverviewSource& source);

struct OverviewViewOptions {
  bool wide = false;  // every problem, nothing folded away
};
view::Document to_view(const Overview& overview, const Scene& scene, const OverviewSource& source,
                       const OverviewViewOptions& options);

}  // namespace dra::report
