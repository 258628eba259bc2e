// cmd/commands/watch/watched_report.h
//
// Reports with --watch. On a terminal the report is drawn in place, with the time in its first
// line, and its ages go on. Elsewhere, and in formats for programs, each state that says something
// else is printed once, below a line with the time.

#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/command.h"

namespace dra::cmd {

struct ReportWatchFlags {
  bool watch = false;
  bool watch_only = false;

  std::vector<Flag> flags();
  bool any() const { return watch || watch_only; }
};

// Prints the report of a state, as without --watch.
using ShowState = std::function<Result<ExitCode>(Context&, const snapshot::Snapshot&)>;

// Whether the state can be watched, and be printed in that format: that of --output, or empty.
Result<Done> check_report_watch(const Context& context, const ReportWatchFlags& flags,
                                std::string_view format);

// Shows the state once, or with --watch until it is over. While it is watched, a failure to show a
// state, such as that of a name that is gone, is shown in its place.
Result<ExitCode> show_state(Context& context, const ReportWatchFlags& flags,
                            std::string_view format, std::span<const snapshot::Need> needs,
                            const ShowState& show);

}  // namespace dra::cmd
