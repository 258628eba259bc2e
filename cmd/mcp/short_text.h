// cmd/mcp/short_text.h: what an agent reads of a report, and of a message, next to the structured
// content.

#pragma once

#include <string>
#include <string_view>

#include "cmd/mcp/tools.h"
#include "dra/json/value.h"

namespace dra::cmd {

// A few lines: the summary of a report, its problems, its advice, and how much it lists.
std::string short_text(const json::Value& report);

// A message of a command in words that an agent can use: the tool's parameters for flags, tools for
// commands. A hint that is about nothing but the command line is dropped.
std::string in_words_of_tool(std::string_view message, const Tool& tool);

}  // namespace dra::cmd
