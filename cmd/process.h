// cmd/process.h: the Console of the real process: its streams, clock, environment and terminal.

#pragma once

#include <string>
#include <vector>

#include "cmd/command.h"

namespace dra::cmd {

// Call first: opens missing standard descriptors and sets the signal handlers.
void prepare_process();

Console process_console(const char* program);

}  // namespace dra::cmd
