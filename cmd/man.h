// cmd/man.h
//
// Manual pages, made of the same Info and Flags as --help, in the roff `man` macros. The pages are
// checked in; a test compares them, and rewrites them on request.

#pragma once

#include <string>

#include "cmd/command.h"
#include "cmd/find_command.h"

namespace dra::cmd {

std::string program_man(const Commands& commands);  // kubectl-dra(1)
std::string command_man(Command& command);          // kubectl-dra-NAME(1)
std::string codes_man();                            // kubectl-dra-codes(7)
std::string semantics_man();                        // kubectl-dra-semantics(7)

}  // namespace dra::cmd
