// cmd/mcp/tools.h
//
// The tools that `kubectl dra mcp` offers: each is a command whose report is JSON, with parameters
// in place of flags. A new tool is a row of the table.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/base/result.h"
#include "dra/json/value.h"

namespace dra::cmd {

struct ToolParameter {
  enum class Type { Text, Texts, Switch };

  std::string_view name;
  std::string_view description;
  Type type = Type::Text;
  // "--node" gets the value; empty: the value is an argument. "-" is standard input.
  std::string_view flag = {};
  bool required = false;
  std::string_view otherwise = {};  // the flag where the parameter is left out
};

struct Tool {
  std::string_view name;
  std::string_view title;
  std::string_view description;
  std::vector<std::string_view> command;  // its words
  std::vector<ToolParameter> parameters;
  std::vector<std::string_view> reports;  // the kinds that it may print
};

std::span<const Tool> tools();
const Tool* find_tool(std::string_view name);

// A tool as the protocol describes it: JSON Schemas of what goes in and comes out, and that nothing
// is written.
json::Value description_of(const Tool& tool);

// A call as a command line.
struct ToolCall {
  std::vector<std::string> words;
  std::optional<std::string> input = {};  // standard input
};

// Fails with BadInput: a parameter is missing, unknown, or of another type.
Result<ToolCall> call_of(const Tool& tool, const json::Value& arguments);

}  // namespace dra::cmd
