// cmd/commands.cpp: the table of commands. The only list of them.

#include "cmd/commands.h"

#include "cmd/command.h"

namespace dra::cmd {

std::vector<std::unique_ptr<Command>> all_commands() {
  std::vector<std::unique_ptr<Command>> commands;
  for (const auto make : {
           make_claims,   make_classes,    make_complete,  make_completion, make_convert,
           make_describe, make_devices,    make_diff,      make_doctor,     make_drivers,
           make_eval,     make_explain,    make_get,       make_help,       make_mcp,
           make_nodes,    make_options,    make_overview,  make_plan,       make_pods,
           make_pools,    make_rbac,       make_report,    make_schema,     make_slices,
           make_snapshot, make_taintrules, make_templates, make_top,        make_topology,
           make_validate, make_version,
       }) {
    commands.push_back(make());
  }
  return commands;
}

}  // namespace dra::cmd
