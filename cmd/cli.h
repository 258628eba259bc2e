// cmd/cli.h
//
// One run of the program, from its arguments to its exit code. The real program and the tests call
// the same function with different Consoles.

#pragma once

#include <string>
#include <vector>

#include "cmd/command.h"

namespace dra::cmd {

// `args` does not include the program's name. An error prints one line on standard error, a second
// line with a hint if there is one, and nothing on standard output.
ExitCode run_cli(const std::vector<std::string>& args, const Console& console);

}  // namespace dra::cmd
