// cmd/cli.h
//
// One run of the program, from its words to its exit code. The real program and the tests call the
// same function; what differs is the Console they give.

#pragma once

#include <string>
#include <vector>

#include "cmd/command.h"

namespace dra::cmd {

// `args` without the program's name. An error is one line on standard error, with a line that says
// what to do if there is something, and nothing on standard output.
ExitCode run_cli(const std::vector<std::string>& args, const Console& console);

}  // namespace dra::cmd
