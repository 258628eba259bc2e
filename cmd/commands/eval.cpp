// cmd/commands/eval.cpp: `kubectl dra eval`: evaluates a selector for the devices of a cluster, or
// only compiles it.

#include <algorithm>

#include "cmd/commands.h"
#include "cmd/commands/device_flags.h"
#include "cmd/find_device.h"
#include "cmd/list_flags.h"
#include "cmd/repeat_flags.h"
#include "cmd/report_output.h"
#include "cmd/server_flags.h"
#include "dra/api/cluster_objects.h"
#include "dra/base/printable.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/report/eval/evaluation.h"
#include "dra/report/lists/select_devices.h"
#include "dra/report/phrases/envelope.h"

namespace dra::cmd {
namespace {

using snapshot::Need;

constexpr std::size_t kMaxCopied = 200;  // bytes of an expression in a proposed command

// The expression of the argument, or of standard input without its last line break.
Result<std::string> read_expression(const Context& context) {
  std::string expression = context.args().front();
  if (expression == "-") {
    if (std::ranges::find(context.globals().snapshot, "-") != context.globals().snapshot.end()) {
      return Error{ErrorKind::BadInput,
                   "standard input cannot be both the expression and the snapshot",
                   "write one of them into a file"};
    }
    expression = DRA_TRY(context.console().streams.read_input());
    while (expression.ends_with('\n') || expression.ends_with('\r'))
      expression.pop_back();
  }
  DRA_TRY(check_text(expression));
  return expression;
}

class Eval final : public Command {
 public:
  Info info() const override {
    return {
        .name = "eval",
        .usage = "EXPR",
        .summary = "Compile a CEL selector and show which devices it matches.",
        .description =
            "First whether the API server would store the expression as a selector of a class or "
            "claim, in its own words and with the place, and what it is estimated to cost; then "
            "for which devices it fails, because the scheduler gives up on the whole pod when it "
            "comes to one of them; then how many match, and which. Of the conditions that && "
            "joins, ALONE is how many devices meet one whatever else holds, AFTER-ABOVE how many "
            "meet it and all above it, ONLY-OBSTACLE how many would match without it. --device "
            "shows what each condition comes to for a device: true (T), false (F), an error (E), "
            "with the values. -o wide has a row for each device, -o name the devices that match. "
            "Where none matches, or it fails or does not compile, up to three changes follow, each "
            "of which was compiled and evaluated: corrected names, other bounds and values, "
            "guards.\n\n"
            "An expression may use less when it is new than when it is stored: the API server "
            "accepts only what the release before knows, too, as an upgrade may be undone. Devices "
            "are evaluated as the scheduler does, as if the expression were stored; where the two "
            "differ, the answer says so. Both are those of the release that the server or snapshot "
            "has.\n\n"
            "EXPR `-` reads the expression from standard input; `--` before it lets it begin with "
            "a minus. With --check no device is looked at, and no server is asked unless "
            "--context, --cluster or --server names one: otherwise the rules are those of "
            "Kubernetes v1.37, or of the snapshot.",
        .examples = {{"eval 'device.driver == \"gpu.nvidia.com\"'", "which devices match"},
                     {"eval --class gpu.nvidia.com -o wide - < selector.cel",
                      "each device of a class, with an expression from a file"},
                     {"eval --check - < selector.cel", "whether a file compiles"}},
        .exits = {{0, "It compiles, and fails for no device."},
                  {1, "That could not be found out."},
                  {2, "It does not compile, or fails for a device."}},
        .task = Task::Author,
        .min_args = 1,
        .max_args = 1,
        .arguments = ArgumentKind::Expression};
  }

  std::vector<Flag> flags() override {
    std::vector<Flag> flags = {
        {"check", '\0', "", "Compile only, and look at no device.", &check_},
        class_flag(class_),
        {"device", '\0', "DEVICE", "Only this device: its name, or driver/pool/device.", &device_},
        driver_flag(filter_.driver),
        {"exit-zero", '\0', "", "Exit with 0 also if it does not compile or fails.", &exit_zero_},
        node_flag(filter_.node),
        pool_flag(filter_.pool)};
    add_flags(flags, output_.flags());
    return flags;
  }

  Result<ExitCode> run(Context& context) override {
    DRA_TRY(output_.read());
    DRA_TRY(check_flags());
    context.use_server_gates();
    const std::string expression = DRA_TRY(read_expression(context));
    if (check_) {
      const snapshot::Server server = DRA_TRY(server_of(context));
      return print(context, report::evaluate(expression, server), {});
    }
    const auto snapshot = DRA_TRY(context.load(needs()));
    const engine::Inventory inventory(snapshot);
    auto devices = DRA_TRY(choose_devices(context, snapshot, inventory));
    const auto evaluation = report::evaluate(expression, snapshot.server(), std::move(devices));
    return print(context, evaluation, snapshot.coverage());
  }

 private:
  Result<Done> check_flags() const {
    const bool chooses = !class_.empty() || !device_.empty() || !filter_.driver.empty() ||
                         !filter_.node.empty() || !filter_.pool.empty();
    if (!check_ || !chooses) return Done{};
    return Error{ErrorKind::BadInput, "--check looks at no device, but other flags choose some",
                 "omit --check, or --class, --device, --driver, --node and --pool"};
  }

  // Without a flag that names a cluster, --check uses the newest release, not the kubeconfig's
  // server.
  static Result<snapshot::Server> server_of(const Context& context) {
    if (!names_cluster(context.globals())) return snapshot::Server();
    const auto snapshot = DRA_TRY(context.load({}));
    return snapshot.server();
  }

  std::vector<Need> needs() const {
    std::vector<Need> needs{{.kind = api::Kind::Slice, .essential = true}};
    if (!class_.empty()) needs.push_back(class_need(class_));
    if (!filter_.node.empty()) needs.push_back({.kind = api::Kind::Node, .names = {filter_.node}});
    return needs;
  }

  Result<std::vector<report::EvaluationDevice>> choose_devices(const Context& context,
                                                               const snapshot::Snapshot& snapshot,
                                                               const engine::Inventory& inventory) {
    const auto selectors = DRA_TRY(selectors_of_class(context, snapshot, class_));
    if (!device_.empty()) filter_.names = {device_};
    filter_.node_object = snapshot.find<api::Node>(filter_.node);
    DRA_TRY(check_filter(snapshot, inventory, filter_));
    auto devices = DRA_TRY(report::devices_to_evaluate(inventory, filter_));
    if (devices.empty() && !device_.empty()) return no_such_device(inventory, device_);
    if (selectors.empty()) return devices;
    std::vector<engine::PoolDevice> published;
    published.reserve(devices.size());
    for (const report::EvaluationDevice& device : devices)
      published.push_back(device.published);
    const auto selected = report::select_devices(published, selectors, snapshot.server(),
                                                 base::format("class {}", class_));
    for (const std::string& warning : selected.warnings)
      context.warn(warning);
    std::size_t at = 0;
    std::erase_if(devices, [&](const report::EvaluationDevice&) { return !selected.chosen[at++]; });
    return devices;
  }

  Result<ExitCode> print(const Context& context, const report::Evaluation& evaluation,
                         const snapshot::Coverage& coverage) const {
    const Output& output = output_.output();
    if (output.table()) {
      const bool wide = output_.wide();
      context.print(
          report::to_view(evaluation, {.wide = wide,
                                       .trees = !device_.empty() && !wide,
                                       .devices_command = devices_command(context, evaluation)}),
          {.wide = wide});
    } else if (output.format == Format::Name) {
      for (const std::string& id : report::matching(evaluation))
        context.print_text(base::format("device/{}\n", base::printable(id)));
    } else {
      json::Value report = report::to_json(evaluation);
      report::add_coverage(report, coverage);
      DRA_TRY(print_structured(context, report, output, Printed::Report));
    }
    const bool fine = evaluation.compiles() && evaluation.failures() == 0;
    return fine || exit_zero_ ? ExitCode::Done : ExitCode::Found;
  }

  // The command that lists the same devices with their state; empty if the expression is too long.
  std::string devices_command(const Context& context, const report::Evaluation& evaluation) const {
    const std::string_view expression = evaluation.stored.expression();
    if (expression.size() > kMaxCopied || expression.find('\n') != std::string_view::npos)
      return {};
    diag::CommandLine command = diag::kubectl_dra("devices");
    if (!device_.empty()) command.name(device_);
    command.option("--cel", expression);
    const auto add = [&command](std::string_view flag, const std::string& value) {
      if (!value.empty()) command.option(flag, value);
    };
    add("--class", class_);
    add("--driver", filter_.driver);
    add("--node", filter_.node);
    add("--pool", filter_.pool);
    return command.flags(repeat_flags(context.globals())).text();
  }

  bool exit_zero_ = false;
  bool check_ = false;
  std::string class_;
  std::string device_;
  ReportOutput output_{{"name"},
                       "Write another format than text; jsonpath, go-template and custom-columns "
                       "take an expression after `=`."};
  report::DeviceFilter filter_;
};

}  // namespace

std::unique_ptr<Command> make_eval() { return std::make_unique<Eval>(); }

}  // namespace dra::cmd
