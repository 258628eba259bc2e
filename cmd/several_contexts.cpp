// cmd/several_contexts.cpp: checks the flags, runs the command in threads, prints what each says.

#include "cmd/several_contexts.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>
#include <variant>

#include "cmd/combined_answer.h"
#include "cmd/flags.h"
#include "cmd/output.h"
#include "dra/base/printable.h"
#include "dra/base/text.h"

namespace dra::cmd {
namespace {

// How many clusters are in memory at a time.
constexpr std::size_t kAtOnce = 4;

// The run for one context: nothing of it reaches the streams of the process by itself.
struct ContextRun {
  KeptAnswer kept;
  std::ostringstream out;
  std::ostringstream err;
  ExitCode exit = ExitCode::Failed;
};

// Standard input can be read once only, and every context reads the same.
std::function<Result<std::string>()> shared_input(const Console& console) {
  struct Input {
    std::once_flag once;
    std::optional<Result<std::string>> text;
  };
  return [input = std::make_shared<Input>(), read = console.streams.read_input] {
    std::call_once(input->once, [&] { input->text = read(); });
    return *input->text;
  };
}

// Several credential plugins cannot ask their questions on one terminal.
Console console_for(ContextRun& run, const Console& console,
                    const std::function<Result<std::string>()>& input, SharedProgress& progress) {
  session::Environment environment = console.environment;
  environment.interactive = false;
  std::function<void(std::span<const snapshot::Reading>)> on_progress;
  if (console.error_terminal) {
    on_progress = [&progress, context = run.kept.context](auto lists) {
      progress.show(context, lists);
    };
  }
  return {.streams = {.out = run.out, .err = run.err, .read_input = input},
          .environment = std::move(environment),
          .now = console.now,
          .width = console.width,
          .screen = console.screen,
          .terminal = console.terminal,
          .program = console.program,
          .retries = console.retries,
          .kept = &run.kept,
          .on_progress = std::move(on_progress)};
}

void ask_one(ContextRun& run, const Console& console, const AskContext& ask) {
  const Result<ExitCode> outcome = ask(run.kept.context, console);
  if (outcome.ok()) {
    run.exit = outcome.value();
    return;
  }
  const Error& error = outcome.error();
  run.err << "warning: " << base::printable(base::format("context {}: ", run.kept.context))
          << base::printable(error.message) << '\n';
  if (!error.hint.empty()) run.err << "hint: " << base::printable(error.hint) << '\n';
  run.kept.errors.push_back(error);
}

void ask_all(std::vector<ContextRun>& runs, const Console& console, const AskContext& ask) {
  const auto input = shared_input(console);
  SharedProgress progress(console.streams.err, console.environment.clock, console.error_width);
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < runs.size(); i = next++)
      ask_one(runs[i], console_for(runs[i], console, input, progress), ask);
  };
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < std::min(kAtOnce, runs.size()); ++i)
    threads.emplace_back(work);
}

std::string_view text_of(std::span<const Flag> flags, std::string_view name) {
  const Flag* flag = find_flag(flags, name);
  return flag == nullptr ? std::string_view() : *std::get<std::string*>(flag->target);
}

bool is_on(std::span<const Flag> flags, std::string_view name) {
  const Flag* flag = find_flag(flags, name);
  return flag != nullptr && *std::get<bool*>(flag->target);
}

// The flag that chose the contexts.
std::string_view chooser(const GlobalFlags& globals) {
  return globals.all_contexts ? "--all-contexts" : "--contexts";
}

Error not_together(const GlobalFlags& globals, std::string_view flag, std::string_view instead) {
  return {ErrorKind::BadInput,
          base::format("{} and {} cannot be used together", chooser(globals), flag),
          std::string(instead)};
}

}  // namespace

bool asks_several(const GlobalFlags& globals) {
  return globals.all_contexts || !globals.contexts.empty();
}

Result<std::vector<std::string>> contexts_asked(const GlobalFlags& globals,
                                                const session::Environment& environment) {
  const session::ConnectionFlags& connection = globals.connection;
  if (globals.all_contexts && !globals.contexts.empty())
    return not_together(globals, "--contexts", "use only one of the two");
  for (const auto& [given, flag] : {std::pair(!connection.context.empty(), "--context"),
                                    {!globals.snapshot.empty(), "--snapshot"},
                                    {globals.demo.has_value(), "--demo"},
                                    {!connection.cluster.empty(), "--cluster"},
                                    {!connection.server.empty(), "--server"},
                                    {!connection.token.empty(), "--token"}}) {
    if (given) return not_together(globals, flag, "each context has its own cluster and user");
  }
  std::vector<std::string> names;
  if (globals.all_contexts) {
    names = DRA_TRY(session::kubeconfig_names(connection, environment)).contexts;
  } else {
    names = DRA_TRY(session::contexts_named(globals.contexts, connection, environment));
  }
  if (names.empty())
    return Error{ErrorKind::NotConfigured, "the kubeconfig has no contexts",
                 "set KUBECONFIG, or name a file with --kubeconfig"};
  return names;
}

Result<Done> check_several(const ParsedCommand& parsed) {
  for (const std::string_view flag : {"watch", "watch-only"}) {
    if (is_on(parsed.flags, flag))
      return not_together(parsed.globals, base::format("--{}", flag),
                          "watch each cluster by a command of its own, with --context NAME");
  }
  if (!text_of(parsed.flags, "raw").empty())
    return not_together(parsed.globals, "--raw", "ask each cluster by a command of its own");
  const std::string_view output = text_of(parsed.flags, "output");
  const bool has_place = output.empty() || output == "wide" || is_data(output);
  if (has_place && text_of(parsed.flags, "template").empty()) return Done{};
  const std::string_view format =
      has_place ? std::string_view("--template") : output.substr(0, output.find('='));
  return not_together(parsed.globals,
                      has_place ? std::string(format) : base::format("--output={}", format),
                      "use -o wide, json, yaml or kyaml, which name the context of each answer");
}

Result<ExitCode> ask_contexts(const ParsedCommand& parsed, const Console& console,
                              const AskContext& ask) {
  DRA_TRY(check_several(parsed));
  const Combination combination = DRA_TRY(parsed.command.combination(parsed.arguments));
  const auto names = DRA_TRY(contexts_asked(parsed.globals, console.environment));
  std::vector<ContextRun> runs(names.size());
  for (std::size_t i = 0; i < names.size(); ++i)
    runs[i].kept.context = names[i];
  ask_all(runs, console, ask);
  std::vector<ContextAnswer> answers;
  for (ContextRun& run : runs) {
    console.streams.err << run.err.str();
    answers.push_back({std::move(run.kept), run.exit});
  }
  console.streams.err.flush();
  const Context context(console, parsed.globals, {});
  const ExitCode worst = worst_of(answers);
  const std::string_view output = text_of(parsed.flags, "output");
  if (is_data(output)) {
    print_data(context, combined_json(answers), output);
  } else {
    const std::string_view sort_by = text_of(parsed.flags, "sort-by");
    context.print(DRA_TRY(combined_view(std::move(answers), combination, sort_by)),
                  {.wide = output == "wide", .headers = !is_on(parsed.flags, "no-headers")});
  }
  return worst != ExitCode::Failed && is_on(parsed.flags, kExitZero) ? ExitCode::Done : worst;
}

}  // namespace dra::cmd
