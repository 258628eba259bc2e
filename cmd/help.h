// cmd/help.h
//
// What --help says, out of the same Info and Flags that the parser reads. The result is a document
// as any other; it is shown 80 columns wide, whatever the terminal.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cmd/command.h"
#include "cmd/find_command.h"
#include "dra/view/document.h"

namespace dra::cmd {

inline constexpr int kHelpWidth = 80;

// How the user called us: "kubectl dra" for `kubectl-dra`, else the file's name.
std::string program_name(std::string_view argv0);

// "kubectl dra claims [NAME ...] [flags]"
std::string usage_line(const Info& info, std::string_view program);

// "-o, --output=FORMAT", "    --demo[=NAME]"
std::string flag_usage(const Flag& flag);
// What the flag does, with the values it may have.
std::string flag_help(const Flag& flag);

// A text of several paragraphs, which empty lines part, as one string for each.
std::vector<std::string> paragraphs_of(std::string_view text);

// What the program is for, in paragraphs.
std::string_view program_description();

view::Document program_help(const Commands& commands, std::string_view program);
view::Document command_help(Command& command, std::string_view program);

}  // namespace dra::cmd
