// cmd/help.cpp: the document of --help for the program and for each command, and `kubectl dra
// help`.

#include "cmd/help.h"

#include <memory>
#include <utility>

#include "cmd/commands.h"
#include "cmd/flags.h"
#include "dra/base/text.h"
#include "dra/render/text.h"

namespace dra::cmd {
namespace {

constexpr TaskTitle kTasks[] = {{Task::Diagnose, "Diagnose"},
                                {Task::Inspect, "Inspect"},
                                {Task::Author, "Write and check manifests"},
                                {Task::Share, "Record and share"},
                                {Task::Other, "Other"}};

constexpr std::string_view kDescription =
    "Shows the Dynamic Resource Allocation (DRA) of a cluster: which devices exist, who is using "
    "them, what is free, and why a pod or claim does not get its devices.\n\nIt reads from the API "
    "server that kubectl would use, from files (--snapshot) or from a built-in cluster (--demo), "
    "and never writes to a cluster.";

view::Paragraph text(std::string words, int indent = 0) {
  return {.spans = {{std::move(words)}}, .indent = indent, .hang = 0};
}

view::Paragraph title(std::string words) {
  return {.spans = {{std::move(words), view::Tone::Strong}}, .hang = 0};
}

void add_text(view::Document& document, std::string_view words) {
  for (std::string& paragraph : paragraphs_of(words)) {
    document.add(text(std::move(paragraph)));
    document.add(view::Blank{});
  }
}

void show_flags(view::Document& document, std::string heading, const std::vector<Flag>& flags) {
  if (flags.empty()) return;
  view::Fields fields{.indent = 2};
  for (const Flag& flag : flags)
    fields.fields.push_back({flag_usage(flag), {{flag_help(flag)}}});
  document.add(title(std::move(heading)));
  document.add(std::move(fields));
  document.add(view::Blank{});
}

void show_exits(view::Document& document, const Info& info) {
  if (info.exits.empty()) return;
  view::Fields fields{.indent = 2};
  for (const ExitMeaning& exit : info.exits)
    fields.fields.push_back({std::to_string(exit.code), {{std::string(exit.meaning)}}});
  document.add(title("Exit codes:"));
  document.add(std::move(fields));
  document.add(view::Blank{});
}

void show_examples(view::Document& document, const Info& info, std::string_view program) {
  if (info.examples.empty()) return;
  document.add(title("Examples:"));
  for (const Example& example : info.examples) {
    document.add(text("# " + std::string(example.what), 2));
    view::Verbatim line{.indent = 2};
    line.lines.push_back({{base::format("{} {}", program, example.command)}});
    document.add(std::move(line));
  }
  document.add(view::Blank{});
}

void show_commands(view::Document& document, const Commands& commands) {
  for (const auto& [task, heading] : kTasks) {
    view::Fields list{.indent = 2};
    for (const auto& command : commands) {
      const Info info = command->info();
      if (!info.hidden && info.task == task)
        list.fields.push_back({std::string(info.name), {{std::string(info.summary)}}});
    }
    document.add(title(base::format("{}:", heading)));
    document.add(std::move(list));
    document.add(view::Blank{});
  }
}

ExitCode show_help(const Context& context, const view::Document& document) {
  context.print_text(help_text(document));
  return ExitCode::Done;
}

class Options final : public Command {
 public:
  Info info() const override {
    return {.name = "options",
            .summary = "List the flags that every command has.",
            .task = Task::Other};
  }

  Result<ExitCode> run(Context& context) override {
    return show_help(context, options_help(program_name(context.console().program)));
  }
};

class Help final : public Command {
 public:
  Info info() const override {
    return {.name = "help",
            .usage = "[COMMAND]",
            .summary = "Show help for a command.",
            .task = Task::Other,
            .max_args = 1,
            .arguments = ArgumentKind::Commands};
  }

  Result<ExitCode> run(Context& context) override {
    const std::string program = program_name(context.console().program);
    const Commands commands = all_commands();
    if (context.args().empty()) return show_help(context, program_help(commands, program));
    const std::string& word = context.args().front();
    Command* command = find_command(commands, word);
    if (command == nullptr) {
      return Error{ErrorKind::BadInput, base::format("unknown command \"{}\"", word),
                   base::format("`{} help` lists the commands", program)};
    }
    return show_help(context, command_help(*command, program));
  }
};

}  // namespace

std::string help_text(const view::Document& document) {
  constexpr int width = 80;
  return render::render_text(document, {.width = width});
}

std::string program_name(std::string_view argv0) {
  constexpr std::string_view plugin = "kubectl-";
  const std::string_view file = argv0.substr(argv0.rfind('/') + 1);
  if (!file.starts_with(plugin)) return std::string(file);
  return "kubectl " + std::string(file.substr(plugin.size()));
}

std::string usage_line(const Info& info, std::string_view program) {
  std::string line = base::format("{} {}", program, info.name);
  if (!info.usage.empty()) line += " " + std::string(info.usage);
  return line + " [flags]";
}

std::string flag_usage(const Flag& flag) {
  std::string usage = flag.letter == '\0' ? "    " : base::format("-{}, ", flag.letter);
  usage += base::format("--{}", flag.name);
  if (flag.value.empty()) return usage;
  return usage + base::format(takes_value(flag) ? "={}" : "[={}]", flag.value);
}

std::string flag_help(const Flag& flag) {
  std::string help(flag.help);
  if (flag.choices.empty()) return help;
  const std::vector<std::string> choices(flag.choices.begin(), flag.choices.end());
  return help + base::format(" {}: {}.", flag.value, base::join(choices, ", "));
}

std::vector<std::string> paragraphs_of(std::string_view words) {
  std::vector<std::string> paragraphs = {""};
  for (const std::string_view line : base::split(words, '\n')) {
    std::string& last = paragraphs.back();
    if (line.empty()) {
      if (!last.empty()) paragraphs.emplace_back();
    } else {
      last += (last.empty() ? "" : " ") + std::string(line);
    }
  }
  if (paragraphs.back().empty()) paragraphs.pop_back();
  return paragraphs;
}

std::string_view program_description() { return kDescription; }

std::span<const TaskTitle> task_titles() { return kTasks; }

view::Document program_help(const Commands& commands, std::string_view program) {
  view::Document document;
  add_text(document, kDescription);
  show_commands(document, commands);
  document.add(title("Usage:"));
  document.add(text(base::format("{} COMMAND [ARGUMENT ...] [flags]", program), 2));
  document.add(view::Blank{});
  document.add(text(base::format("Use \"{} COMMAND --help\" for more about a command.", program)));
  document.add(text(base::format(
      "Use \"{} options\" for the flags that every command has, such as --context and --snapshot.",
      program)));
  return document;
}

view::Document options_help(std::string_view program) {
  view::Document document;
  document.add(text("These flags can be passed to any command, before or after its name."));
  document.add(view::Blank{});
  GlobalFlags globals;
  show_flags(document, "Flags:", global_flags(globals));
  document.add(
      text(base::format("Use \"{} COMMAND --help\" for the flags of a command.", program)));
  return document;
}

view::Document command_help(Command& command, std::string_view program) {
  const Info info = command.info();
  view::Document document;
  add_text(document, info.summary);
  show_examples(document, info, program);
  document.add(title("Usage:"));
  document.add(text(usage_line(info, program), 2));
  document.add(view::Blank{});
  if (!info.aliases.empty()) {
    const std::vector<std::string> names(info.aliases.begin(), info.aliases.end());
    document.add(title("Aliases:"));
    document.add(text(base::join(names, ", "), 2));
    document.add(view::Blank{});
  }
  add_text(document, info.description);
  show_exits(document, info);
  GlobalFlags unused;
  show_flags(document, "Flags:", own_flags(command, unused));
  document.add(
      text(base::format("Use \"{} options\" for the flags that every command has.", program)));
  return document;
}

std::unique_ptr<Command> make_options() { return std::make_unique<Options>(); }

std::unique_ptr<Command> make_help() { return std::make_unique<Help>(); }

}  // namespace dra::cmd
