// include/dra/report/doctor/overview.h
//
// `kubectl dra` without a command: devices, free devices, waiting pods and problems on one screen.
// The numbers come first because they are few. Problems follow as far as they fit, the worst first,
// each with the command that explains it.

#pragma once

#include <string>
#include <string_view>

#include "dra/answers/problems/overview.h"
#include "dra/base/time.h"
#include "dra/json/value.h"
#include "dra/view/document.h"

namespace dra::report {

// The source of the state, and the flags for further questions about it.
struct OverviewSource {
  std::string kind;     // "context", "server", "demo", "snapshot"
  std::string name;     // name of the context, the demo or the files
  std::string program;  // "kubectl dra"
  std::string flags;    // flags of every proposed command, quoted for a shell: " --demo"

  // The whole command line; `words` follow the program's name.
  std::string command(std::string_view words) const;
};

json::Value to_json(const answers::Overview& overview, const OverviewSource& source);

struct OverviewViewOptions {
  base::Instant now = {};  // the time that ages are relative to
  bool wide = false;       // every problem, nothing folded
};
view::Document to_view(const answers::Overview& overview, const OverviewSource& source,
                       const OverviewViewOptions& options);

}  // namespace dra::report
