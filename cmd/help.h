// cmd/help.h
//
// --help, made of the Info and Flags that the parser reads. It is a view document, printed 80
// columns wide on any terminal.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/command.h"
#include "cmd/find_command.h"
#include "dra/view/document.h"

namespace dra::cmd {

// The text of a help document.
std::string help_text(const view::Document& document);

// The name of the program in messages: "kubectl dra" for `kubectl-dra`, else the file's name.
std::string program_name(std::string_view argv0);

// "kubectl dra claims [NAME ...] [flags]"
std::string usage_line(const Info& info, std::string_view program);

// "-o, --output=FORMAT", "    --demo[=NAME]"
std::string flag_usage(const Flag& flag);
// The flag's help, with the values it may have.
std::string flag_help(const Flag& flag);

// Splits a text at its empty lines.
std::vector<std::string> paragraphs_of(std::string_view text);

// The introduction of the program's help, in paragraphs.
std::string_view program_description();

// The headings of the list of commands, in their order.
struct TaskTitle {
  Task task;
  std::string_view title;
};
std::span<const TaskTitle> task_titles();

view::Document program_help(const Commands& commands, std::string_view program);
// The flags that every command has.
view::Document options_help(std::string_view program);
view::Document command_help(Command& command, std::string_view program);

}  // namespace dra::cmd
