// cmd/complete.cpp: `kubectl dra __complete WORD ...`, what may stand where the cursor is. The
// protocol is described in completion.h. Whatever goes wrong, nothing is offered and nothing is
// said: the user is in the middle of a line.

#include <algorithm>
#include <set>

#include "cmd/command.h"
#include "cmd/commands.h"
#include "cmd/completion.h"
#include "cmd/find_command.h"
#include "cmd/flags.h"
#include "cmd/help.h"
#include "dra/base/printable.h"
#include "dra/snapshot/load.h"

namespace dra::cmd {
namespace {

// Longer than this nobody waits for a key.
constexpr std::string_view kPatience = "1s";

struct Choice {
  std::string value;
  std::string description = {};
};

struct Answer {
  std::vector<Choice> choices;
  bool files = false;  // a file may be named
};

// Names of objects, from wherever the flags on the line say.
class Names {
 public:
  Names(const Console& console, GlobalFlags globals) : globals_(std::move(globals)) {
    globals_.connection.request_timeout = kPatience;
    globals_.verbosity = 0;
    source_ = Context(console, globals_, {}).source();
  }

  std::vector<Choice> claims() const {
    return choices<api::ResourceClaim>(
        {api::Kind::Claim, current_namespace()},
        [](const api::ResourceClaim& claim) { return Choice{std::string(claim.meta.name)}; });
  }

  std::vector<Choice> pods() const {
    auto pods = choices<api::Pod>({api::Kind::Pod, current_namespace()}, [](const api::Pod& pod) {
      // Pods without claims are nothing to this program.
      if (pod.spec.claims.empty() && !pod.status.extended_resource_claim) return Choice{};
      return Choice{std::string(pod.meta.name), std::string(pod.status.phase)};
    });
    std::erase_if(pods, [](const Choice& pod) { return pod.value.empty(); });
    return pods;
  }

  std::vector<Choice> namespaces() const {
    return choices<api::Namespace>({api::Kind::Namespace}, [](const api::Namespace& ns) {
      return Choice{std::string(ns.meta.name)};
    });
  }

  std::vector<Choice> slices() const {
    return choices<api::ResourceSlice>({api::Kind::Slice}, [](const api::ResourceSlice& slice) {
      return Choice{std::string(slice.meta.name), std::string(slice.spec.driver)};
    });
  }

  std::vector<Choice> pools() const {
    return choices<api::ResourceSlice>({api::Kind::Slice}, [](const api::ResourceSlice& slice) {
      return Choice{std::string(slice.spec.pool.name), std::string(slice.spec.driver)};
    });
  }

  std::vector<Choice> devices() const {
    const auto snapshot = load({api::Kind::Slice});
    std::vector<Choice> devices;
    if (!snapshot) return devices;
    for (const api::ResourceSlice& slice : snapshot->all<api::ResourceSlice>()) {
      for (const api::Device& device : slice.spec.devices) {
        devices.push_back({std::string(device.name), std::string(slice.spec.driver)});
      }
    }
    return devices;
  }

 private:
  std::optional<snapshot::Snapshot> load(const snapshot::Need& need) const {
    // The terminal is not there to type a manifest into now.
    if (std::ranges::find(source_.files, "-") != source_.files.end()) return std::nullopt;
    auto snapshot = snapshot::load(source_, {&need, 1});
    if (!snapshot.ok()) return std::nullopt;
    return std::move(snapshot).take();
  }

  template <class T, class ToChoice>
  std::vector<Choice> choices(const snapshot::Need& need, ToChoice to_choice) const {
    std::vector<Choice> out;
    const auto snapshot = load(need);
    if (!snapshot) return out;
    for (const T& object : snapshot->all<T>()) {
      const bool other_namespace =
          !need.namespace_.empty() && object.meta.namespace_ != need.namespace_;
      if (!other_namespace) out.push_back(to_choice(object));
    }
    return out;
  }

  std::string current_namespace() const {
    const auto ns = snapshot::default_namespace(source_);
    return ns.ok() ? ns.value() : "default";
  }

  GlobalFlags globals_;
  snapshot::Source source_;
};

std::vector<Choice> command_names(const Commands& commands) {
  std::vector<Choice> names;
  for (const auto& command : commands) {
    const Info info = command->info();
    if (!info.hidden) names.push_back({std::string(info.name), std::string(info.summary)});
  }
  return names;
}

// `pod NAME`, `claim NAME`, and the short form `pod/NAME`.
std::vector<Choice> pods_or_claims(const Names& names, const Arguments& before,
                                   std::string_view current) {
  const auto list = [&names](std::string_view kind) {
    if (kind == "pod" || kind == "pods") return names.pods();
    if (kind == "claim" || kind == "claims") return names.claims();
    return std::vector<Choice>();
  };
  if (!before.empty()) return list(before.front());
  const std::size_t slash = current.find('/');
  if (slash == std::string_view::npos) return {{"claim", "a resource claim"}, {"pod", "a pod"}};
  auto choices = list(current.substr(0, slash));
  for (Choice& choice : choices)
    choice.value.insert(0, current.substr(0, slash + 1));
  return choices;
}

// A line that is being typed.
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
      command_ = find_command(commands_, arguments_.front());
      arguments_.erase(arguments_.begin());
      unknown_command_ = command_ == nullptr;
    }
    flags_ = command_ == nullptr ? global_flags(globals_) : flags_of(*command_, globals_);
  }

  Answer answer() {
    if (unknown_command_) return {};
    const bool only_arguments = std::ranges::find(before_, "--") != before_.end();
    if (!only_arguments) {
      const Flag* waiting = before_.empty() ? nullptr : waiting_for_value(flags_, before_.back());
      if (waiting != nullptr) return values_of(*waiting);
      if (current_.starts_with("-")) return answer_flag();
    }
    if (command_ == nullptr) return {command_names(commands_)};
    if (arguments_.size() >= command_->info().max_args) return {};
    return {arguments_of(command_->info().words)};
  }

  // The part of the current word that the choices complete.
  std::string_view prefix() const { return prefix_ ? *prefix_ : current_; }

 private:
  Answer answer_flag() {
    const std::size_t equals = current_.find('=');
    if (equals != std::string::npos) {
      const Flag* flag = find_flag(flags_, std::string_view(current_).substr(2, equals - 2));
      prefix_ = current_.substr(equals + 1);
      return flag == nullptr ? Answer() : values_of(*flag);
    }
    Answer answer;
    for (const Flag& flag : flags_) {
      answer.choices.push_back({"--" + std::string(flag.name), flag_help(flag)});
    }
    return answer;
  }

  Answer values_of(const Flag& flag) const {
    Answer answer;
    for (const std::string_view choice : flag.choices)
      answer.choices.push_back({std::string(choice)});
    if (flag.value == "NAMESPACE") answer.choices = Names(console_, globals_).namespaces();
    answer.files = flag.value == "FILE";
    return answer;
  }

  std::vector<Choice> arguments_of(Words words) const {
    std::vector<Choice> choices;
    switch (words) {
      case Words::None:
        return choices;
      case Words::Commands:
        return command_names(commands_);
      case Words::Demos:
        for (const snapshot::Demo& demo : snapshot::demos()) {
          choices.push_back({std::string(demo.name), std::string(demo.summary)});
        }
        return choices;
      case Words::Shells:
        for (const CompletionScript& script : completion_scripts()) {
          choices.push_back({std::string(script.shell)});
        }
        return choices;
      default:
        return names_of(words);
    }
  }

  std::vector<Choice> names_of(Words words) const {
    const Names names(console_, globals_);
    switch (words) {
      case Words::Claims:
        return names.claims();
      case Words::Pods:
        return names.pods();
      case Words::PodOrClaim:
        return pods_or_claims(names, arguments_, current_);
      case Words::Pools:
        return names.pools();
      case Words::Slices:
        return names.slices();
      case Words::Devices:
        return names.devices();
      default:
        return {};
    }
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

// Names that would not survive the shell or the protocol are left out, not escaped: they would
// complete to something else.
bool can_be_offered(const std::string& value) {
  return base::is_plain(value) && value.find(' ') == std::string::npos && !value.starts_with(':');
}

class Complete final : public Command {
 public:
  Info info() const override {
    return {.name = "__complete",
            .usage = "WORD ...",
            .summary = "Print what may stand in the place of the last word.",
            .max_args = kAnyArgs,
            .hidden = true,
            .raw_words = true};
  }

  Result<ExitCode> run(Context& context) override {
    Line line(context.console(), context.args());
    const Answer answer = line.answer();
    std::string out;
    std::set<std::string_view> seen;
    for (const Choice& choice : answer.choices) {
      const bool fits = choice.value.starts_with(line.prefix()) && can_be_offered(choice.value);
      if (!fits || !seen.insert(choice.value).second) continue;
      out += choice.value;
      if (!choice.description.empty()) out += '\t' + base::printable(choice.description);
      out += '\n';
    }
    context.print_text(out + (answer.files ? ":0\n" : ":4\n"));
    return ExitCode::Done;
  }
};

}  // namespace

std::unique_ptr<Command> make_complete() { return std::make_unique<Complete>(); }

}  // namespace dra::cmd
