// cmd/commands/mcp.cpp: `kubectl dra mcp`: serves the Model Context Protocol.

#include <unistd.h>

#include <algorithm>
#include <array>

#include "cmd/command.h"
#include "cmd/commands.h"
#include "cmd/flags.h"
#include "cmd/mcp/server.h"
#include "dra/base/text.h"

namespace dra::cmd {
namespace {

// Those of how answers are printed: the server prints none.
constexpr std::array<std::string_view, 5> kOfPrinting = {"color", "help", "v", "version",
                                                         "warnings-as-errors"};

struct FlagWords {
  std::string_view name;
  std::vector<std::string>& words;

  void add(std::string_view value) const { words.push_back(base::format("--{}={}", name, value)); }
  void operator()(const bool* value) const {
    if (*value) add("true");
  }
  void operator()(const int* value) const {
    if (*value != 0) add(std::to_string(*value));
  }
  void operator()(const std::string* value) const {
    if (!value->empty()) add(*value);
  }
  void operator()(const std::vector<std::string>* values) const {
    for (const std::string& value : *values)
      add(value);
  }
  void operator()(const std::optional<std::string>* value) const {
    if (!*value) return;
    if (value->value().empty()) {
      words.push_back(base::format("--{}", name));
    } else {
      add(value->value());
    }
  }
};

// The flags that were given, again as words.
std::vector<std::string> words_of(const GlobalFlags& given) {
  GlobalFlags globals = given;
  if (globals.snapshot_of_environment) globals.snapshot.clear();
  std::vector<std::string> words;
  for (const Flag& flag : global_flags(globals)) {
    if (std::ranges::find(kOfPrinting, flag.name) == kOfPrinting.end())
      std::visit(FlagWords{flag.name, words}, flag.target);
  }
  return words;
}

std::string_view mcp_description() {
  static const std::string text = [] {
    std::vector<std::string> names;
    for (const Tool& tool : tools())
      names.emplace_back(tool.name);
    const std::string last = names.back();
    names.pop_back();
    return base::format(
        "An agent starts this command and calls tools: {} and {}. Each is a command of this "
        "program: its report is the structured result, with the JSON Schema that `schema` prints, "
        "next to a short text. Calls run in processes of their own, four at once, and can be "
        "cancelled.\n\n"
        "Nothing is written to the cluster, and no credential is part of an answer. A call cannot "
        "choose another cluster or user: what it reads is what --context, --kubeconfig, "
        "--snapshot and the other flags say that the server was started with. An answer of more "
        "than 256 KiB is refused, with what to name to get a smaller one.\n\n"
        "Versions of the protocol: 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05. In the two "
        "older ones the report is a text of its own.",
        base::join(names, ", "), last);
  }();
  return text;
}

class Mcp final : public Command {
 public:
  Info info() const override {
    return {.name = "mcp",
            .summary = "Serve agents: the Model Context Protocol over standard input and output.",
            .description = mcp_description(),
            .examples = {{"mcp --context prod",
                          "for the configuration of an agent: command and arguments"},
                         {"mcp --snapshot cluster.json", "questions about a recording"}},
            .task = Task::Share};
  }

  Result<ExitCode> run(Context& context) override {
    const auto& snapshot = context.globals().snapshot;
    if (std::ranges::find(snapshot, "-") != snapshot.end())
      return Error{ErrorKind::BadInput,
                   "standard input cannot be both the agent's and the snapshot",
                   "write the snapshot into a file"};
    DRA_TRY(McpServer(context.console(), words_of(context.globals())).run(STDIN_FILENO));
    return ExitCode::Done;
  }
};

}  // namespace

std::unique_ptr<Command> make_mcp() { return std::make_unique<Mcp>(); }

}  // namespace dra::cmd
