// cmd/man/man.h
//
// Manual pages, made of the same Info and Flags as --help, in the roff `man` macros. The pages are
// checked in; a test compares them, and rewrites them on request.

#pragma once

#include <functional>
#include <string>

#include "cmd/command.h"
#include "cmd/find_command.h"
#include "cmd/man/man_examples.h"

namespace dra::cmd {

std::string program_man(const Commands& commands);  // kubectl-dra(1)
// kubectl-dra-NAME(1). `output_of` runs a command line and returns what it prints, so that pages
// show what the program does.
using OutputOf = std::function<std::string(const ShownExample&)>;
std::string command_man(Command& command, const OutputOf& output_of);
std::string codes_man();      // kubectl-dra-codes(7)
std::string semantics_man();  // kubectl-dra-semantics(7)

}  // namespace dra::cmd
