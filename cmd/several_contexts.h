// cmd/several_contexts.h
//
// --contexts and --all-contexts: one command, asked of several clusters. The command runs once for
// each context, as it would with --context, some at a time: with flags, a session and time-outs of
// its own, so that a cluster that is slow or cannot be read leaves the others as they are. What
// each says is kept, and becomes one answer (combined_answer.h).

#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/command.h"
#include "dra/base/result.h"

namespace dra::cmd {

// Of commands whose findings have an exit code.
inline constexpr std::string_view kExitZero = "exit-zero";

bool asks_several(const GlobalFlags& globals);

// A command line whose flags were parsed.
struct ParsedCommand {
  const Command& command;
  std::span<const Flag> flags;
  const GlobalFlags& globals;
  const std::vector<std::string>& arguments;
};

// The contexts that are meant. BadInput for other flags that choose a server or the state, for a
// context that does not exist, and where there is none.
Result<std::vector<std::string>> contexts_asked(const GlobalFlags& globals,
                                                const session::Environment& environment);

// BadInput for flags that only one cluster can be asked with: to watch, and formats that have no
// place for the name of the context.
Result<Done> check_several(const ParsedCommand& parsed);

// Runs the command for one context. Called in several threads.
using AskContext =
    std::function<Result<ExitCode>(const std::string& context, const Console& console)>;

// Asks each context and prints the answer. The exit code is the worst of the clusters, Failed if
// one of them could not be read.
Result<ExitCode> ask_contexts(const ParsedCommand& parsed, const Console& console,
                              const AskContext& ask);

}  // namespace dra::cmd
