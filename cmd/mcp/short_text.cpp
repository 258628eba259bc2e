// cmd/mcp/short_text.cpp: reads the fields that reports share, and those of the kinds that have no
// summary.

#include "cmd/mcp/short_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <vector>

#include "dra/base/text.h"

namespace dra::cmd {
namespace {

constexpr std::size_t kMostAdvice = 3;

void add_line(std::string& text, std::string_view line) {
  if (!text.empty()) text += '\n';
  text += line;
}

std::string text_of(const json::Value& object, std::string_view key) {
  const json::Value* found = object.find(key);
  return found == nullptr ? std::string() : std::string(found->text());
}

// "devices" -> "1 device", "2 devices"
std::string count_words(std::size_t count, std::string_view plural) {
  return base::plural(static_cast<std::int64_t>(count), plural.substr(0, plural.size() - 1));
}

using States = std::map<std::string, std::size_t>;

// Devices anywhere in a report: what has an id, or the name of a device, and a state.
void count_states(const json::Value& value, States& states) {
  if (value.is(json::Kind::Array)) {
    for (const json::Value& item : value.items())
      count_states(item, states);
  } else if (value.is(json::Kind::Object)) {
    const bool named = value.find("id") != nullptr || value.find("device") != nullptr;
    const json::Value* state = value.find("state");
    if (named && state != nullptr && state->is(json::Kind::String)) {
      ++states[std::string(state->text())];
      return;
    }
    for (const json::Member& member : value.members())
      count_states(member.value, states);
  }
}

// "4 devices: 3 allocated, 1 free"
std::string states_words(const States& states) {
  std::size_t all = 0;
  std::vector<std::string> parts;
  for (const auto& [state, count] : states) {
    all += count;
    parts.push_back(base::format("{} {}", count, state));
  }
  const std::string words = count_words(all, "devices");
  return parts.empty() ? words : base::format("{}: {}", words, base::join(parts, ", "));
}

std::string topology_words(const json::Value& report) {
  States states;
  for (const std::string_view drawn : {"grids", "groups", "rows"}) {
    if (const json::Value* found = report.find(drawn)) count_states(*found, states);
  }
  const json::Value* boards = report.find("boards");
  std::string text = states.empty() ? std::string() : states_words(states);
  if (boards != nullptr && !boards->items().empty())
    add_line(text, count_words(boards->items().size(), "partitioned accelerators"));
  return text.empty() ? "no devices" : text;
}

// What it matches is counted; what does not compile matches nothing.
std::string evaluation_words(const json::Value& report) {
  const json::Value* compile = report.find("compile");
  const json::Value* ok = compile == nullptr ? nullptr : compile->find("ok");
  if (ok != nullptr && ok->text() != "true")
    return base::format("The expression does not compile: {}", text_of(*compile, "error"));
  const json::Value* devices = report.find("devices");
  if (devices == nullptr) return "The expression compiles.";
  const auto results = [devices](std::string_view result) {
    return std::ranges::count_if(devices->items(), [result](const json::Value& device) {
      return text_of(device, "result") == result;
    });
  };
  std::string text = base::format("The expression compiles, and matches {} of {}.", results("true"),
                                  count_words(devices->items().size(), "devices"));
  if (const auto failed = results("error"); failed > 0)
    text += base::format(" It fails for {}.", failed);
  return text;
}

// What the first pieces of advice are, with the first command of each.
void add_advice(const json::Value& report, std::string& text) {
  const json::Value* advice = report.find("advice");
  if (advice == nullptr || !advice->is(json::Kind::Array) || advice->items().empty()) return;
  add_line(text, "What would make it fit:");
  for (std::size_t i = 0; i < std::min(kMostAdvice, advice->items().size()); ++i) {
    const json::Value& one = advice->items()[i];
    std::string line = "- " + text_of(one, "message");
    const json::Value* commands = one.find("commands");
    if (commands != nullptr && !commands->items().empty())
      line += base::format(": {}", commands->items().front().text());
    add_line(text, line);
  }
  if (advice->items().size() > kMostAdvice)
    add_line(text, base::format("and {} more in the structured content",
                                advice->items().size() - kMostAdvice));
}

void add_problems(const json::Value& report, std::string& text) {
  for (const std::string_view list : {"problems", "findings"}) {
    const json::Value* found = report.find(list);
    if (found == nullptr) continue;
    add_line(text, count_words(found->items().size(), list));
    for (const json::Value& one : found->items()) {
      if (const json::Value* message = one.find("message")) add_line(text, "- " + message->text());
    }
  }
}

// Replaces whole words only: "--node" is no part of "--node-pool".
void replace_words(std::string& text, std::string_view from, std::string_view to) {
  const auto goes_on = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
  };
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos;) {
    const std::size_t end = at + from.size();
    const bool whole =
        (at == 0 || !goes_on(text[at - 1])) && (end == text.size() || !goes_on(text[end]));
    if (whole) text.replace(at, from.size(), to);
    at += whole ? to.size() : from.size();
  }
}

// "it is in namespace ml: -n ml" says it without the flag, too.
void drop_namespace_flag(std::string& line) {
  const std::size_t at = line.rfind(": -n ");
  const std::size_t value = at + std::string_view(": -n ").size();
  if (at != std::string::npos && line.find(' ', value) == std::string::npos) line.erase(at);
}

// "`kubectl dra nodes`" can be said with a tool where there is one of that name.
void name_tools(std::string& line) {
  for (const Tool& tool : tools()) {
    const std::string command = base::format("kubectl dra {}", tool.name);
    replace_words(line, base::format("`{}`", command), base::format("the tool {}", tool.name));
  }
}

bool is_about_command_line(std::string_view line) {
  return line.find("kubectl dra") != std::string_view::npos ||
         line.find(" -") != std::string_view::npos || line.find('`') != std::string_view::npos;
}

}  // namespace

std::string short_text(const json::Value& report) {
  std::string text;
  const std::string kind = text_of(report, "kind");
  if (kind == "Evaluation") return evaluation_words(report);
  if (kind == "Topology") return topology_words(report);
  if (kind == "DeviceList") {
    States states;
    count_states(*report.find("items"), states);
    return states_words(states);
  }
  if (const std::string summary = text_of(report, "summary"); !summary.empty())
    add_line(text, summary);
  add_problems(report, text);
  add_advice(report, text);
  for (const std::string_view list : {"items", "devices"}) {
    const json::Value* found = report.find(list);
    if (found != nullptr && found->is(json::Kind::Array))
      add_line(text, count_words(found->items().size(), list));
  }
  return text.empty() ? "The answer is the structured content." : text;
}

std::string in_words_of_tool(std::string_view message, const Tool& tool) {
  std::string text;
  for (const std::string_view given : base::split(message, '\n')) {
    std::string line(given);
    drop_namespace_flag(line);
    for (const ToolParameter& parameter : tool.parameters) {
      if (parameter.flag.starts_with("--")) replace_words(line, parameter.flag, parameter.name);
      if (parameter.flag == "--namespace")
        replace_words(line, "-n", base::format("the parameter {}", parameter.name));
    }
    name_tools(line);
    if (line.starts_with("hint: ") && is_about_command_line(line)) continue;
    add_line(text, line);
  }
  return text;
}

}  // namespace dra::cmd
