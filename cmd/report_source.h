// cmd/report_source.h: where the state comes from, for reports that say so or name further
// commands.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cmd/command.h"
#include "dra/report/overview.h"

namespace dra::cmd {

// NotConfigured where no cluster is, with what a newcomer may do.
Result<report::OverviewSource> report_source(const Context& context);

// What report::find_problems() looks at, and the namespace that was asked for, if any.
std::vector<snapshot::Need> needs_of_problems(const std::string& ns);

// -A of reports, which look into all namespaces unless -n names one; as with kubectl, -A wins.
Flag all_namespaces_flag(bool& all);
std::string namespace_asked(const Context& context, bool all);

// NotFound where none of the states has the namespace or anything in it: a name that is not written
// right would read as if all were well there. Of a state that does not tell whether there is such a
// namespace, nothing is said; nor is it if `ns` is empty.
Result<Done> check_namespace(std::string_view command, const std::string& ns,
                             const std::vector<const snapshot::Snapshot*>& states);

}  // namespace dra::cmd
