// cmd/commands/complete.cpp: `kubectl dra __complete WORD ...`: the choices for the word at the
// cursor, in the protocol of completion.h. On any error it prints no choices and no message,
// because the user is in the middle of a line.

#include <algorithm>
#include <array>
#include <set>

#include "cmd/command.h"
#include "cmd/commands.h"
#include "cmd/complete/complete_expression.h"
#include "cmd/complete/complete_names.h"
#include "cmd/complete/complete_values.h"
#include "cmd/completion.h"
#include "cmd/find_command.h"
#include "cmd/flags.h"
#include "cmd/help.h"
#include "cmd/workload_words.h"
#include "dra/base/printable.h"
#include "dra/base/text.h"
#include "dra/report/schema/schema.h"

namespace dra::cmd {
namespace {

std::vector<Choice> command_names(const Commands& commands) {
  std::vector<Choice> names;
  for (const auto& command : commands) {
    const Info info = command->info();
    if (!info.hidden) names.push_back({std::string(info.name), std::string(info.summary)});
  }
  return names;
}

void put_before(std::vector<Choice>& choices, std::string_view words) {
  for (Choice& choice : choices)
    choice.value.insert(0, words);
}

// Completes NOUN NAME and NOUN/NAME for any of `nouns`.
std::vector<Choice> subjects(const CompletionNames& names, std::span<const Noun> nouns,
                             const Arguments& before, std::string_view current) {
  const auto list = [&](std::string_view word, std::string_view typed) {
    const NounInfo* noun = find_noun(word);
    const bool meant = noun != nullptr && std::ranges::find(nouns, noun->noun) != nouns.end();
    return meant ? names.of(noun->noun, typed) : std::vector<Choice>();
  };
  const bool noun_said = !before.empty() && before.front().find('/') == std::string::npos;
  const std::size_t slash = current.find('/');
  if (noun_said) return list(before.front(), current);
  if (slash != std::string_view::npos) {
    auto choices = list(current.substr(0, slash), current.substr(slash + 1));
    put_before(choices, current.substr(0, slash + 1));
    return choices;
  }
  std::vector<Choice> choices;
  for (const Noun noun : nouns)
    choices.push_back({std::string(info_of(noun).singular)});
  return choices;
}

// Completes the arguments of `explain`: pods, claims, nodes, devices, slices and workloads.
std::vector<Choice> explained(const CompletionNames& names, const Arguments& before,
                              std::string_view current) {
  constexpr std::array nouns{Noun::Claims, Noun::Devices, Noun::Nodes, Noun::Pods, Noun::Slices};
  const std::size_t slash = current.find('/');
  const bool said = !before.empty() && before.front().find('/') == std::string::npos;
  if (said) {
    const auto workload = workload_of_word(before.front());
    return workload ? names.of(*workload) : subjects(names, nouns, before, current);
  }
  if (slash != std::string_view::npos) {
    const auto workload = workload_of_word(current.substr(0, slash));
    if (!workload) return subjects(names, nouns, before, current);
    std::vector<Choice> choices = names.of(*workload);
    put_before(choices, current.substr(0, slash + 1));
    return choices;
  }
  std::vector<Choice> choices = subjects(names, nouns, before, current);
  for (const api::Kind kind : workload_kinds())
    choices.push_back({singular_of(kind)});
  return choices;
}

constexpr std::string_view kNodePool = "nodepool";

// Completes the arguments of `top`: the grouping, then names.
std::vector<Choice> topped(const CompletionNames& names, const Arguments& before,
                           std::string_view current) {
  if (before.empty())
    return {{"classes"}, {"drivers"}, {"namespaces"}, {"nodepools"}, {"nodes"}, {"workloads"}};
  if (before.front() == "namespaces") return names.namespaces();
  if (before.front() == "nodepools") return names.node_pools();
  if (before.front() == "workloads") return names.workloads();
  const NounInfo* noun = find_noun(before.front());
  return noun == nullptr ? std::vector<Choice>() : names.of(noun->noun, current);
}

// Completes the arguments of `topology`: nouns whose devices are drawn, and node pools.
std::vector<Choice> drawn(const CompletionNames& names, const Arguments& before,
                          std::string_view current) {
  constexpr std::array nouns{Noun::Claims, Noun::Nodes, Noun::Pods, Noun::Pools, Noun::Slices};
  if (!before.empty() && before.front() == kNodePool) return names.node_pools();
  std::vector<Choice> choices = subjects(names, nouns, before, current);
  if (before.empty() && current.find('/') == std::string_view::npos)
    choices.push_back({std::string(kNodePool)});
  return choices;
}

// After "claims,": the other kinds that can be in the same list.
std::vector<Choice> further_kinds(std::string_view current) {
  const std::string_view said = current.substr(0, current.rfind(',') + 1);
  std::set<const NounInfo*> known;
  for (const std::string_view word : base::split(said.substr(0, said.size() - 1), ',')) {
    const NounInfo* noun = find_noun(word);
    if (noun == nullptr || !noun->kind) return {};
    known.insert(noun);
  }
  std::vector<Choice> choices;
  for (const NounInfo& noun : all_nouns()) {
    if (noun.kind && !known.contains(&noun)) choices.push_back({std::string(noun.plural)});
  }
  put_before(choices, said);
  return choices;
}

std::vector<api::Kind> kinds_of(std::span<const Noun> nouns) {
  std::vector<api::Kind> kinds;
  for (const Noun noun : nouns) {
    if (info_of(noun).kind) kinds.push_back(*info_of(noun).kind);
  }
  return kinds;
}

std::vector<Noun> all_noun_values() {
  std::vector<Noun> nouns;
  for (const NounInfo& noun : all_nouns())
    nouns.push_back(noun.noun);
  return nouns;
}

// An incomplete command line.
class Line {
 public:
  Line(const Console& console, std::vector<std::string> words) : console_(console) {
    if (!words.empty()) {
      current_ = std::move(words.back());
      words.pop_back();
    }
    before_ = std::move(words);
    arguments_ = read_flags(flags_of_all(commands_, globals_), before_);
    if (!arguments_.empty()) {
      Invocation invocation = invocation_of(std::move(arguments_));
      command_ = find_command(commands_, invocation.word);
      arguments_ = std::move(invocation.arguments);
      unknown_command_ = command_ == nullptr;
    }
    flags_ = command_ == nullptr ? global_flags(globals_) : flags_of(*command_, globals_);
  }

  Answer answer() {
    if (unknown_command_) return {};
    const bool only_arguments = std::ranges::find(before_, "--") != before_.end();
    if (!only_arguments) {
      const Flag* waiting = before_.empty() ? nullptr : waiting_for_value(flags_, before_.back());
      if (waiting != nullptr) return values_for(*waiting);
      if (current_.starts_with("-")) return answer_flag();
    }
    if (command_ == nullptr && current_.find('/') != std::string::npos) {
      return {subjects(CompletionNames(console_, globals_), all_noun_values(), {}, current_)};
    }
    if (command_ == nullptr) {
      const bool several = current_.find(',') != std::string::npos;
      return {several ? further_kinds(current_) : command_names(commands_)};
    }
    if (arguments_.size() >= command_->info().max_args) return {};
    const ArgumentKind kind = command_->info().arguments;
    if (kind == ArgumentKind::Expression) return answer_expression();
    return {.choices = arguments_of(kind),
            .files = kind == ArgumentKind::Files,
            .ranked = kind == ArgumentKind::Explained};
  }

  // The part of the current word that the choices continue.
  std::string_view prefix() const { return prefix_ ? *prefix_ : current_; }

 private:
  Answer answer_flag() {
    const std::size_t equals = current_.find('=');
    if (equals != std::string::npos) {
      const Flag* flag = find_flag(flags_, std::string_view(current_).substr(2, equals - 2));
      prefix_ = current_.substr(equals + 1);
      return flag == nullptr ? Answer() : values_for(*flag);
    }
    Answer answer;
    for (const Flag& flag : flags_) {
      answer.choices.push_back({"--" + std::string(flag.name), flag_help(flag)});
    }
    return answer;
  }

  // bash and fish hand over the quote in front, and continue the word behind it.
  Answer answer_expression() {
    const bool quote = current_.starts_with('\'') || current_.starts_with('"');
    prefix_ = current_.substr(quote ? 1 : 0);
    return expression_choices(CompletionNames(console_, globals_), *prefix_);
  }

  Answer values_for(const Flag& flag) const {
    return values_of(flag, CompletionNames(console_, globals_), prefix(), listed());
  }

  // The kinds of objects that the line lists: those of the command, or of what follows `get`.
  std::vector<api::Kind> listed() const {
    std::vector<api::Kind> kinds;
    if (command_ == nullptr) return kinds;
    const std::optional<Noun> own = command_->info().noun;
    if (own) return kinds_of({&*own, 1});
    if (arguments_.empty()) return kinds;
    std::vector<Noun> nouns;
    for (const std::string_view word : base::split(arguments_.front(), ',')) {
      const NounInfo* noun = find_noun(word.substr(0, word.find('/')));
      if (noun != nullptr) nouns.push_back(noun->noun);
    }
    return kinds_of(nouns);
  }

  std::vector<Choice> arguments_of(ArgumentKind kind) const {
    std::vector<Choice> choices;
    switch (kind) {
      case ArgumentKind::None:
      case ArgumentKind::Files:
        return choices;
      case ArgumentKind::Commands:
        return command_names(commands_);
      case ArgumentKind::Demos:
        for (const snapshot::Demo& demo : snapshot::demos()) {
          choices.push_back({std::string(demo.name), std::string(demo.summary)});
        }
        return choices;
      case ArgumentKind::Reports:
        for (const report::ReportKind& report : report::report_kinds())
          choices.push_back({std::string(report.name), std::string(report.command)});
        return choices;
      case ArgumentKind::Shells:
        for (const CompletionScript& script : completion_scripts()) {
          choices.push_back({std::string(script.shell)});
        }
        return choices;
      default:
        return names_of(kind);
    }
  }

  std::vector<Choice> names_of(ArgumentKind kind) const {
    const CompletionNames names(console_, globals_);
    const std::optional<Noun> noun = command_->info().noun;
    if (kind == ArgumentKind::Names && noun) {
      // NOUN/NAME is followed by another NOUN/NAME. The name of a device may contain slashes.
      const std::size_t slash = current_.find('/');
      const NounInfo* said =
          slash == std::string::npos ? nullptr : find_noun(current_.substr(0, slash));
      if (said == nullptr || said->noun != *noun) return names.of(*noun, current_);
      return subjects(names, {&*noun, 1}, {}, current_);
    }
    if (kind == ArgumentKind::Explained) return explained(names, arguments_, current_);
    if (kind == ArgumentKind::Top) return topped(names, arguments_, current_);
    if (kind == ArgumentKind::Topology) return drawn(names, arguments_, current_);
    const bool several = arguments_.empty() && current_.find(',') != std::string::npos;
    if (kind == ArgumentKind::Subjects && several && current_.find('/') == std::string::npos)
      return further_kinds(current_);
    std::vector<Noun> nouns = all_noun_values();
    if (kind == ArgumentKind::Objects) std::erase(nouns, Noun::Drivers);
    return subjects(names, nouns, arguments_, current_);
  }

  const Console& console_;
  Commands commands_ = all_commands();
  GlobalFlags globals_;
  std::vector<std::string> before_;
  std::string current_;
  std::optional<std::string> prefix_;
  Arguments arguments_;
  Command* command_ = nullptr;
  bool unknown_command_ = false;
  std::vector<Flag> flags_;
};

// Bits of the last line. Upstream: github.com/spf13/cobra, ShellCompDirective.
constexpr int kNoSpace = 2;
constexpr int kNoFiles = 4;
constexpr int kInOrder = 32;

// Names with characters that the shell or the protocol interprets are left out: escaped, they would
// complete to another word.
bool can_be_offered(const std::string& value, bool quoted) {
  const bool one_word = quoted || value.find(' ') == std::string::npos;
  return base::is_plain(value) && one_word && !value.starts_with(':');
}

class Complete final : public Command {
 public:
  Info info() const override {
    return {.name = "__complete",
            .usage = "WORD ...",
            .summary = "Print what may stand in the place of the last word.",
            .max_args = kAnyArgs,
            .hidden = true,
            .raw_arguments = true};
  }

  Result<ExitCode> run(Context& context) override {
    Line line(context.console(), context.args());
    const Answer answer = line.answer();
    std::string out;
    std::set<std::string_view> seen;
    for (const Choice& choice : answer.choices) {
      const bool fits =
          choice.value.starts_with(line.prefix()) && can_be_offered(choice.value, answer.quoted);
      if (!fits || !seen.insert(choice.value).second) continue;
      out += choice.value;
      if (!choice.description.empty()) out += '\t' + base::printable(choice.description);
      out += '\n';
    }
    const int directive = (answer.opens ? kNoSpace : 0) + (answer.files ? 0 : kNoFiles) +
                          (answer.ranked ? kInOrder : 0);
    context.print_text(out + base::format(":{}\n", directive));
    return ExitCode::Done;
  }
};

}  // namespace

std::unique_ptr<Command> make_complete() { return std::make_unique<Complete>(); }

}  // namespace dra::cmd
