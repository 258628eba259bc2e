// src/session/exec_plugin.cpp: see exec_plugin.h.

#include "src/session/exec_plugin.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <utility>

#include "dra/base/files.h"
#include "dra/base/printable.h"
#include "dra/base/text.h"
#include "src/session/kuberc.h"
#include "src/session/process.h"

namespace dra::session {
namespace {

constexpr std::string_view kV1 = "client.authentication.k8s.io/v1";
constexpr std::string_view kV1Beta1 = "client.authentication.k8s.io/v1beta1";
constexpr std::string_view kV1Alpha1 = "client.authentication.k8s.io/v1alpha1";
constexpr base::Duration kSameRefusal = base::Duration::seconds(10);
constexpr const char* kInfoVariable = "KUBERNETES_EXEC_INFO";

Result<Done> check_version(const ExecEntry& exec) {
  const std::string& version = exec.api_version.text;
  if (version == kV1 || version == kV1Beta1) return Done{};
  const std::string wanted = base::format("write {}, if the program speaks it", kV1);
  if (version.empty()) return Error{ErrorKind::BadInput, "exec has no apiVersion", wanted};
  if (version == kV1Alpha1) {
    return Error{
        ErrorKind::BadInput,
        base::format("exec speaks {}, which Kubernetes v1.24 removed", version),
        base::format("install a newer version of the program and write apiVersion: {}", kV1Beta1)};
  }
  return Error{ErrorKind::BadInput, base::format("exec has the unknown apiVersion {}", version),
               wanted};
}

Result<InteractiveMode> mode_of(const ExecEntry& exec) {
  const std::string& mode = exec.interactive_mode.text;
  if (mode == "Never") return InteractiveMode::Never;
  if (mode == "Always") return InteractiveMode::Always;
  const bool by_default = mode.empty() && exec.api_version.text == kV1Beta1;
  if (mode == "IfAvailable" || by_default) return InteractiveMode::IfAvailable;
  return Error{ErrorKind::BadInput,
               mode.empty() ? std::string("exec has no interactiveMode, which v1 demands")
                            : base::format("exec has the unknown interactiveMode {}", mode),
               "write Never, IfAvailable or Always"};
}

// A path starts at the directory of the kubeconfig; a name stays, for PATH.
std::string resolved_command(const std::string& command, const std::string& file) {
  if (command.find('/') == std::string::npos) return base::clean_path(command);
  const std::string path = base::join_path(base::directory_of(file), command);
  std::error_code ignored;
  const std::filesystem::path here = std::filesystem::current_path(ignored);
  return base::clean_path(base::join_path(here.string(), path));
}

Result<ExecPlan> checked_plan(const UserEntry& user) {
  const ExecEntry& exec = user.exec;
  if (exec.command.empty()) {
    return Error{ErrorKind::BadInput, "exec has no command", "name the program to run"};
  }
  DRA_TRY(check_version(exec));
  ExecPlan plan;
  plan.mode = DRA_TRY(mode_of(exec));
  for (const auto& [name, value] : exec.env) {
    if (!name.empty() && name.find('=') == std::string::npos) continue;
    return Error{ErrorKind::BadInput, "exec sets a variable without a name, or with = in it",
                 "give each entry of env a name and a value"};
  }
  plan.api_version = exec.api_version.text;
  plan.command = resolved_command(exec.command.text, user.file);
  plan.args = exec.args;
  plan.env = exec.env;
  plan.install_hint = exec.install_hint.text;
  return plan;
}

// The name of a flag, as in `--region` and `--region=x`; empty for what may be a value.
std::string_view flag_name(std::string_view argument) {
  const std::string_view name = argument.substr(0, argument.find('='));
  const bool long_name =
      name.size() > 2 && name.starts_with("--") && std::ranges::all_of(name.substr(2), [](char c) {
        return c == '-' || (c >= 'a' && c <= 'z');
      });
  if (long_name) return name;
  return argument.size() == 2 && argument.starts_with('-') ? argument : std::string_view();
}

// Of the arguments, only names of flags are shown: any value may be a secret.
std::string shown_command(const std::string& path, const std::vector<std::string>& arguments) {
  constexpr std::string_view mask = "<masked>";
  std::string shown = path;
  for (const std::string& argument : arguments) {
    const std::string_view name = flag_name(argument);
    shown.append(" ").append(name);
    if (name.size() < argument.size() && !name.empty()) shown += '=';
    if (name.size() < argument.size() || argument.empty()) shown += mask;
  }
  return base::printable(shown);
}

// Often several lines; here it is one.
std::string on_one_line(std::string_view text) {
  std::string line;
  for (const std::string_view part : base::split(text, '\n')) {
    const std::string_view trimmed = base::trim(part);
    if (trimmed.empty()) continue;
    if (!line.empty()) line += ' ';
    line += trimmed;
  }
  return base::printable(line);
}

class ExecPlugin final : public Authenticator {
 public:
  ExecPlugin(ExecPlan plan, const Environment& environment, Log log)
      : plan_(std::move(plan)), environment_(environment), log_(std::move(log)) {}

  Result<Credentials> current() override {
    if (answer_ && !is_over()) return answer_->credentials;
    // No second attempt after a failure: the plugin could ask a person once for each request.
    if (!failure_) DRA_TRY(renew());
    if (failure_) return *failure_;
    return answer_->credentials;
  }

  bool refused(const Credentials& used) override {
    if (!answer_ || failure_) return false;
    if (answer_->credentials != used) return true;  // renewed in the meantime
    // Of several requests that are refused together, only the first one is worth a run.
    if (renewed_ && environment_.now() - *renewed_ < kSameRefusal) return false;
    renewed_ = environment_.now();
    const Result<Done> done = renew();
    if (!done.ok() && log_.write) {
      log_.write("warning: credentials could not be renewed: " + done.error().message);
    }
    return done.ok() && answer_->credentials != used;
  }

 private:
  // Credentials that were out of date when they came are used all the same: this machine's clock
  // may be wrong, and the plugin would give the same again for each request.
  bool is_over() const {
    return answer_->expires && environment_.now() > *answer_->expires && came_ <= *answer_->expires;
  }

  Result<Done> renew() {
    Result<ExecAnswer> answer = run().context(plan_.place);
    if (!answer.ok()) {
      if (!answer_) failure_ = answer.error();
      return answer.error();
    }
    answer_ = std::move(answer).take();
    came_ = environment_.now();
    return Done{};
  }

  Result<ExecAnswer> run() {
    if (!environment_.run_plugins) {
      return Error{
          ErrorKind::NotConfigured,
          base::format("credentials come from the program {}, which is not run now", plan_.command),
          {}};
    }
    const bool interactive = DRA_TRY(may_ask());
    const std::string path = DRA_TRY(permitted_path());
    if (log_.verbosity >= 1 && log_.write) {
      log_.write("running the credential plugin " + shown_command(path, plan_.args));
    }
    Program program{.path = path, .environment = variables(interactive)};
    program.arguments.push_back(plan_.command);
    program.arguments.insert(program.arguments.end(), plan_.args.begin(), plan_.args.end());
    program.share_input = interactive;
    program.within = interactive ? std::max(plan_.within, kLongestRequest) : plan_.within;
    if (log_.write) program.on_error_line = log_.write;
    const Outcome outcome = DRA_TRY(run_program(program));
    DRA_TRY(check_outcome(outcome, program));
    return read_exec_answer(outcome.output, plan_.api_version)
        .context("the credential plugin " + plan_.command);
  }

  Result<bool> may_ask() const {
    if (plan_.mode == InteractiveMode::Never) return false;
    if (plan_.mode == InteractiveMode::IfAvailable || environment_.interactive) {
      return environment_.interactive;
    }
    return Error{ErrorKind::BadInput,
                 base::format("the credential plugin {} must ask a person (interactiveMode: "
                              "Always), but standard input is not a terminal",
                              plan_.command),
                 "run this at a terminal, or use a token"};
  }

  Result<std::string> permitted_path() {
    const std::string_view search_path = environment_.get("PATH");
    const PluginPolicy policy = DRA_TRY(load_plugin_policy(plan_.kuberc, environment_));
    for (const std::string& warning : policy.warnings) {
      if (log_.write) log_.write("warning: " + warning);
    }
    Result<std::string> found = find_program(plan_.command, search_path);
    DRA_TRY(check_plugin(policy, plan_.command, found, search_path));
    if (found.ok()) return found;
    Error error = found.error();
    error.message.insert(0, "the credential plugin is missing: ");
    if (error.hint.empty()) {
      error.hint = plan_.install_hint.empty()
                       ? "install the program, or use another user of the kubeconfig"
                       : "the kubeconfig says: " + on_one_line(plan_.install_hint);
    }
    return error;
  }

  // Our environment, with the variables that the kubeconfig sets.
  std::vector<std::string> variables(bool interactive) const {
    auto variables = environment_.variables;
    for (const auto& [name, value] : plan_.env)
      variables[name] = value;
    variables[kInfoVariable] = write_exec_request(plan_.api_version, interactive, plan_.cluster);
    std::vector<std::string> lines;
    lines.reserve(variables.size());
    for (const auto& [name, value] : variables)
      lines.push_back(base::format("{}={}", name, value));
    return lines;
  }

  Result<Done> check_outcome(const Outcome& outcome, const Program& program) const {
    const std::string name = "the credential plugin " + plan_.command;
    if (outcome.timed_out) {
      return Error{
          ErrorKind::Io,
          base::format("{} did not end within {}", name, base::format_duration(program.within)),
          "give it more time with --request-timeout"};
    }
    if (outcome.signal == SIGINT)
      return Error{ErrorKind::Interrupted, name + " was interrupted", {}};
    if (outcome.too_long) {
      return Error{ErrorKind::BadAnswer,
                   base::format("{} printed more than {} bytes", name, program.max_output),
                   "check that the command and its arguments are those of a credential plugin"};
    }
    if (outcome.signal != 0) {
      return Error{ErrorKind::Io,
                   base::format("{} was killed by signal {} ({})", name, outcome.signal,
                                ::strsignal(outcome.signal)),
                   {}};
    }
    if (outcome.exit_code == 0) return Done{};
    return Error{ErrorKind::Io,
                 base::format("{} failed with exit code {}", name, outcome.exit_code),
                 "what it says about that stands above; signing in again may help"};
  }

  ExecPlan plan_;
  Environment environment_;
  Log log_;
  std::optional<ExecAnswer> answer_;
  base::Instant came_;                    // the time of the answer
  std::optional<base::Instant> renewed_;  // when credentials were renewed after a refusal
  std::optional<Error> failure_;          // before there was any answer
};

}  // namespace

Result<ExecPlan> plan_exec(const UserEntry& user) {
  ExecPlan plan = DRA_TRY(checked_plan(user).context(
      base::format("kubeconfig {}: line {}: the user {}", user.file, user.exec.line, user.name)));
  plan.place = base::format("kubeconfig {}: line {}", user.file, user.exec.line);
  return plan;
}

std::shared_ptr<Authenticator> make_exec_plugin(ExecPlan plan, const Environment& environment,
                                                Log log) {
  return std::make_shared<ExecPlugin>(std::move(plan), environment, std::move(log));
}

}  // namespace dra::session
