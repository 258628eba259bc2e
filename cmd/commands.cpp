// cmd/commands.cpp: the table of commands. The only list of them.

#include "cmd/commands.h"

#include "cmd/command.h"

namespace dra::cmd {

std::vector<std::unique_ptr<Command>> all_commands() {
  std::vector<std::unique_ptr<Command>> commands;
  for (const auto make : {
           make_claims,
           make_complete,
           make_completion,
           make_devices,
           make_explain,
           make_help,
           make_pods,
           make_pools,
           make_slices,
           make_snapshot,
           make_version,
       }) {
    commands.push_back(make());
  }
  return commands;
}

}  // namespace dra::cmd
