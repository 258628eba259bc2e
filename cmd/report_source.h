// cmd/report_source.h: the source of the state and the namespace, for reports that name them.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cmd/command.h"
#include "dra/report/doctor/overview.h"

namespace dra::cmd {

// NotConfigured where there is no cluster, with a hint for newcomers.
Result<report::OverviewSource> report_source(const Context& context);

// -A of reports, which cover all namespaces unless -n names one. As in kubectl, -A wins.
Flag all_namespaces_flag(bool& all);
std::string namespace_asked(const Context& context, bool all);

// The input of report::find_problems(), and the namespace to report about.
struct ProblemsState {
  snapshot::Snapshot snapshot;
  std::string ns;  // empty: all
};

// What has to be read of all namespaces, or of the one that -n names.
Result<std::vector<snapshot::Need>> needs_for_problems(Context& context, bool all);
// The namespace to report about; empty: all. That of the context if only its claims may be read,
// unless `all` is set. NotFound as check_namespace().
Result<std::string> namespace_of_problems(const Context& context, std::string_view command,
                                          bool all, const snapshot::Snapshot& state);

// Loads what these two need. `further`: what is read as well.
Result<ProblemsState> load_for_problems(Context& context, std::string_view command, bool all,
                                        std::vector<snapshot::Need> further = {});

}  // namespace dra::cmd
