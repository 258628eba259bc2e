// cmd/report_source.h: where the state comes from, for reports that say so or name further
// commands.

#pragma once

#include <vector>

#include "cmd/command.h"
#include "dra/report/overview.h"

namespace dra::cmd {

// NotConfigured where no cluster is, with what a newcomer may do.
Result<report::OverviewSource> report_source(const Context& context);

// What report::find_problems() looks at.
std::vector<snapshot::Need> needs_of_problems();

}  // namespace dra::cmd
