// cmd/report_source.h: where the state comes from, for reports that say so or name further
// commands.

#pragma once

#include <string>
#include <vector>

#include "cmd/command.h"
#include "dra/report/overview.h"

namespace dra::cmd {

// NotConfigured where no cluster is, with what a newcomer may do.
Result<report::OverviewSource> report_source(const Context& context);

// What report::find_problems() looks at.
std::vector<snapshot::Need> needs_of_problems();

// -A of reports, which look into all namespaces unless -n names one; as with kubectl, -A wins.
Flag all_namespaces_flag(bool& all);
std::string namespace_asked(const Context& context, bool all);

}  // namespace dra::cmd
