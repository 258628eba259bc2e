// cmd/commands.h: the maker of each command, sorted by name.

#pragma once

#include <memory>

namespace dra::cmd {

class Command;

std::unique_ptr<Command> make_claims();
std::unique_ptr<Command> make_classes();
std::unique_ptr<Command> make_complete();
std::unique_ptr<Command> make_completion();
std::unique_ptr<Command> make_convert();
std::unique_ptr<Command> make_describe();
std::unique_ptr<Command> make_devices();
std::unique_ptr<Command> make_diff();
std::unique_ptr<Command> make_doctor();
std::unique_ptr<Command> make_drivers();
std::unique_ptr<Command> make_eval();
std::unique_ptr<Command> make_explain();
std::unique_ptr<Command> make_get();
std::unique_ptr<Command> make_help();
std::unique_ptr<Command> make_mcp();
std::unique_ptr<Command> make_nodes();
std::unique_ptr<Command> make_options();
std::unique_ptr<Command> make_overview();
std::unique_ptr<Command> make_plan();
std::unique_ptr<Command> make_pods();
std::unique_ptr<Command> make_pools();
std::unique_ptr<Command> make_rbac();
std::unique_ptr<Command> make_report();
std::unique_ptr<Command> make_schema();
std::unique_ptr<Command> make_slices();
std::unique_ptr<Command> make_snapshot();
std::unique_ptr<Command> make_taintrules();
std::unique_ptr<Command> make_templates();
std::unique_ptr<Command> make_top();
std::unique_ptr<Command> make_topology();
std::unique_ptr<Command> make_validate();
std::unique_ptr<Command> make_version();

}  // namespace dra::cmd
