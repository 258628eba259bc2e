// cmd/cli.cpp: finds the command, parses its flags, runs it, and turns failures into exit codes. No
// other place decides the exit code of a failure.

#include "cmd/cli.h"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "cmd/find_command.h"
#include "cmd/flags.h"
#include "cmd/help.h"
#include "cmd/several_contexts.h"
#include "cmd/version.h"
#include "dra/base/text.h"

namespace dra::cmd {
namespace {

constexpr std::string_view kDefaultCommand = "overview";

ExitCode exit_code_of(const Error& error) {
  return error.kind == ErrorKind::Interrupted ? ExitCode::Interrupted : ExitCode::Failed;
}

Error unknown_command(const std::string& word, const Commands& commands, const Console& console) {
  std::vector<std::string_view> names;
  for (const auto& command : commands) {
    const Info info = command->info();
    if (info.hidden) continue;
    names.push_back(info.name);
    names.insert(names.end(), info.aliases.begin(), info.aliases.end());
  }
  const std::string program = program_name(console.program);
  std::vector<std::string> meant;
  const auto add = [&meant, &program](std::string_view name) {
    std::string command = base::format("{} {}", program, name);
    if (std::ranges::find(meant, command) == meant.end()) meant.push_back(std::move(command));
  };
  // One or two letters are similar to too many names, and a prefix of too many, to suggest any.
  if (word.size() > 2) {
    if (const std::string_view nearest = base::nearest(word, names); !nearest.empty()) add(nearest);
    for (const std::string_view name : names) {
      if (name.starts_with(word)) add(name);
    }
  }
  return {ErrorKind::BadInput, base::format("unknown command \"{}\"", word),
          meant.empty() ? base::format("`{} --help` lists the commands", program)
                        : base::format("did you mean {}?", base::join(meant, " or "))};
}

Result<Done> check_count(const Info& info, const Arguments& arguments, const Console& console) {
  const std::string usage = "usage: " + usage_line(info, program_name(console.program));
  if (arguments.size() < info.min_args) {
    return Error{
        ErrorKind::BadInput,
        base::format("{} needs {}", info.name,
                     info.min_args == 1
                         ? std::string("an argument")
                         : base::plural(static_cast<std::int64_t>(info.min_args), "argument")),
        usage};
  }
  if (info.max_args == kAnyArgs || arguments.size() <= info.max_args) return Done{};
  return Error{ErrorKind::BadInput,
               base::format("{} does not accept {}argument \"{}\"", info.name,
                            info.max_args == 0 ? "the " : "a further ", arguments[info.max_args]),
               usage};
}

// Two sources are an error: guessing which one is meant could answer about the wrong cluster.
Result<Done> check_sources(const GlobalFlags& globals) {
  if (globals.demo && !globals.snapshot.empty()) {
    return Error{ErrorKind::BadInput, "--snapshot and --demo cannot be used together",
                 "use only one of the two"};
  }
  const session::ConnectionFlags& connection = globals.connection;
  const bool names_server =
      !connection.context.empty() || !connection.cluster.empty() || !connection.server.empty();
  if (names_server && (globals.demo || !globals.snapshot.empty())) {
    return Error{ErrorKind::BadInput,
                 base::format("{} is read instead of a server, but {} names one",
                              globals.demo ? "--demo" : "--snapshot",
                              !connection.context.empty()   ? "--context"
                              : !connection.cluster.empty() ? "--cluster"
                                                            : "--server"),
                 "use only one of the two"};
  }
  return Done{};
}

// A flag that names another source wins.
void use_snapshot_of_environment(const Console& console, GlobalFlags& globals) {
  const session::ConnectionFlags& connection = globals.connection;
  const std::string_view file = console.environment.get("KUBECTL_DRA_SNAPSHOT");
  const bool other = globals.demo || !globals.snapshot.empty() || !connection.context.empty() ||
                     !connection.cluster.empty() || !connection.server.empty() ||
                     !connection.kubeconfig.empty() || asks_several(globals);
  if (file.empty() || other) return;
  globals.snapshot = {std::string(file)};
  globals.snapshot_of_environment = true;
}

Result<Done> check_colour(const GlobalFlags& globals) {
  const std::string& when = globals.colour;
  if (when.empty() || when == "auto" || when == "always" || when == "never") return Done{};
  return Error{
      ErrorKind::BadInput, base::format("--color: \"{}\" is not auto, always or never", when), {}};
}

Result<ExitCode> run_parsed(Command& command, const GlobalFlags& globals, Invocation invocation,
                            const Console& console) {
  Context context(console, globals, std::move(invocation.arguments), std::move(invocation.word));
  const ExitCode code = DRA_TRY(command.run(context));
  if (globals.warnings_as_errors) {
    console.streams.out.flush();
    DRA_TRY(context.server_warnings().none());
  }
  return code;
}

// Runs a command again for one of several contexts, with flags of its own. That --exit-zero is
// given is left to who combines the answers.
Result<ExitCode> run_for_context(std::string_view name, const std::vector<std::string>& args,
                                 const std::string& context, const Console& console) {
  const Commands commands = all_commands();
  Command* command = find_command(commands, name);
  DRA_CHECK(command != nullptr);
  GlobalFlags globals;
  const auto flags = flags_of(*command, globals);
  Invocation invocation = invocation_of(DRA_TRY(parse_flags(flags, args)));
  if (const Flag* zero = find_flag(flags, kExitZero)) *std::get<bool*>(zero->target) = false;
  globals.contexts.clear();
  globals.all_contexts = false;
  globals.connection.context = context;
  return run_parsed(*command, globals, std::move(invocation), console);
}

Result<ExitCode> run_command(Command& command, GlobalFlags& globals,
                             const std::vector<std::string>& args, const Console& console) {
  const Info info = command.info();
  const auto flags = flags_of(command, globals);
  Invocation invocation = invocation_of(DRA_TRY(parse_flags(flags, args)));
  if (globals.help) {
    console.streams.out << help_text(command_help(command, program_name(console.program)));
    return ExitCode::Done;
  }
  DRA_TRY(check_count(info, invocation.arguments, console));
  DRA_TRY(check_sources(globals));
  DRA_TRY(check_colour(globals));
  use_snapshot_of_environment(console, globals);
  DRA_TRY(session::request_timeout_of(globals.connection));
  DRA_TRY(session::max_read_of(console.environment, 0));
  if (!asks_several(globals)) return run_parsed(command, globals, std::move(invocation), console);
  return ask_contexts({command, flags, globals, invocation.arguments}, console,
                      [&info, &args](const std::string& context, const Console& one) {
                        return run_for_context(info.name, args, context, one);
                      });
}

// Without a command the program shows the overview.
Result<ExitCode> run_without_command(const Commands& commands, GlobalFlags& globals,
                                     const std::vector<std::string>& args, const Console& console) {
  if (globals.version) {
    console.streams.out << version_line() << '\n';
    return ExitCode::Done;
  }
  if (globals.help) {
    console.streams.out << help_text(program_help(commands, program_name(console.program)));
    return ExitCode::Done;
  }
  std::vector<std::string> words = {std::string(kDefaultCommand)};
  words.insert(words.end(), args.begin(), args.end());
  Command* command = find_command(commands, kDefaultCommand);
  DRA_CHECK(command != nullptr);
  return run_command(*command, globals, words, console);
}

Result<ExitCode> run(const std::vector<std::string>& args, const Console& console) {
  const Commands commands = all_commands();
  GlobalFlags globals;
  if (!args.empty()) {
    Command* command = find_command(commands, args.front());
    if (command != nullptr && command->info().raw_arguments) {
      Context context(console, globals, {args.begin() + 1, args.end()});
      return command->run(context);
    }
  }
  // Flags may precede the command. Which words are values of flags is then decided by the flags of
  // all commands.
  const auto flags = flags_of_all(commands, globals);
  const Arguments words = read_flags(flags, args);
  if (words.empty()) {
    return run_without_command(commands, globals, args, console);
  }
  const std::string word = invocation_of(words).word;
  if (Command* command = find_command(commands, word)) {
    return run_command(*command, globals, args, console);
  }
  DRA_TRY(parse_flags(flags, args));
  return unknown_command(word, commands, console);
}

// A reader such as `head` may close the pipe early: that is no error. Any other failed write is an
// error, because a truncated answer could be mistaken for a complete one.
Result<Done> finish_output(const Console& console) {
  errno = console.streams.out.good() ? 0 : errno;
  console.streams.out.flush();
  if (console.streams.out.good() || errno == EPIPE) return Done{};
  return Error{
      ErrorKind::Io,
      "cannot write the output: " + std::generic_category().message(errno == 0 ? EIO : errno),
      {}};
}

}  // namespace

ExitCode run_cli(const std::vector<std::string>& args, const Console& console) {
  const Result<ExitCode> outcome = run(args, console);
  if (!outcome.ok()) {
    print_error(outcome.error(), console);
    return exit_code_of(outcome.error());
  }
  const Result<Done> finished = finish_output(console);
  if (!finished.ok()) {
    print_error(finished.error(), console);
    return ExitCode::Failed;
  }
  return outcome.value();
}

}  // namespace dra::cmd
