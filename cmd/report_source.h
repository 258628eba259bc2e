// cmd/report_source.h: where the state comes from, for reports that say so or name further
// commands.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cmd/command.h"
#include "dra/report/doctor/overview.h"

namespace dra::cmd {

// NotConfigured where no cluster is, with what a newcomer may do.
Result<report::OverviewSource> report_source(const Context& context);

// -A of reports, which look into all namespaces unless -n names one; as with kubectl, -A wins.
Flag all_namespaces_flag(bool& all);
std::string namespace_asked(const Context& context, bool all);

// NotFound where none of the states has the namespace or anything in it: a name that is not written
// right would read as if all were well there. Of a state that does not tell whether there is such a
// namespace, nothing is said; nor is it if `ns` is empty.
Result<Done> check_namespace(std::string_view command, const std::string& ns,
                             const std::vector<const snapshot::Snapshot*>& states);

// What report::find_problems() looks at, and of which namespace to tell.
struct ProblemsState {
  snapshot::Snapshot snapshot;
  std::string ns;  // empty: of all
};

// Of all namespaces, unless one is asked for; unless `all`, also of the context's alone if its
// claims are the only ones that may be read. NotFound as with check_namespace().
Result<ProblemsState> load_for_problems(Context& context, std::string_view command, bool all);

}  // namespace dra::cmd
