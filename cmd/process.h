// cmd/process.h: what only the real program has: its streams, clock, environment and terminal.

#pragma once

#include <string>
#include <vector>

#include "cmd/command.h"

namespace dra::cmd {

// Call first: makes the standard descriptors and signals what the rest of the program expects.
void prepare_process();

Console process_console(const char* program);

}  // namespace dra::cmd
