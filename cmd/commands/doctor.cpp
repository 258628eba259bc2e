// cmd/commands/doctor.cpp: `kubectl dra doctor`: all problems of a cluster.

#include "dra/report/doctor/doctor.h"
#include "cmd/command.h"
#include "cmd/commands.h"
#include "cmd/html.h"
#include "cmd/report_source.h"
#include "cmd/version.h"
#include "dra/render/annotations.h"
#include "dra/render/structured.h"

namespace dra::cmd {
namespace {

class Doctor final : public Command {
 public:
  Info info() const override {
    return {.name = "doctor",
            .summary = "Check drivers, devices, classes and claims for problems.",
            .description =
                "Pools that are incomplete, invalid or left over; nodes without the devices that "
                "their like have, or without the driver's plugin; kubelets that do not go with the "
                "API server; classes that match nothing or fail; claims that are stuck in "
                "deletion, reserved for pods that are gone, without their class, or that hold "
                "devices which are gone or not ready; devices with two holders; taint rules, and "
                "the pods they evict; pods that wait for devices, and pods whose devices could not "
                "be prepared.\n\nEach with its code, what to do, and the command that tells more. "
                "Without -n, of all namespaces, or of the context's if you cannot read other "
                "claims; with it, claims, pods and their problems of one.\n\nExit code: 0 nothing, "
                "or hints only; 2 errors or warnings.",
            .examples = {{"doctor", "the whole cluster"},
                         {"doctor -n ml -o json", "a namespace, for a program"},
                         {"doctor -o html >problems.html", "a page, for a ticket"},
                         {"doctor -o junit >doctor.xml", "a test report, for CI"}},
            .task = Task::Diagnose};
  }

  std::vector<Flag> flags() override {
    return {all_namespaces_flag(all_namespaces_),
            {"exit-zero", '\0', "", "Exit with 0 also if something was found.", &exit_zero_},
            {"output",
             'o',
             "FORMAT",
             "Write JSON or YAML, a page (HTML), or what other programs read: JUnit XML, SARIF, "
             "workflow commands of GitHub.",
             &output_,
             {"github", "html", "json", "junit", "sarif", "yaml"}}};
  }

  Result<ExitCode> run(Context& context) override {
    const report::OverviewSource source = DRA_TRY(report_source(context));
    const auto [snapshot, ns] = DRA_TRY(load_for_problems(context, info().name, all_namespaces_));
    const engine::Inventory inventory(snapshot);
    const base::Instant now = context.now(snapshot);
    const answers::Doctor doctor = answers::examine({snapshot, inventory, now}, ns);
    if (output_ == "json") {
      context.print_json(report::to_json(doctor, source));
    } else if (output_ == "yaml") {
      context.print_text(render::render_yaml(report::to_json(doctor, source)));
    } else if (output_ == "sarif") {
      context.print_text(render::to_sarif(report::to_json(doctor, source), version()));
    } else if (output_ == "github") {
      context.print_text(render::to_github(report::to_json(doctor, source)));
    } else if (output_ == "junit") {
      context.print_text(render::to_junit(report::to_json(doctor, source)));
    } else if (is_html_or_svg(output_)) {
      DRA_TRY(print_html_or_svg(context, report::to_view(doctor, source), output_, "doctor", now));
    } else {
      context.print(report::to_view(doctor, source));
    }
    return doctor.found() && !exit_zero_ ? ExitCode::Found : ExitCode::Done;
  }

 private:
  bool all_namespaces_ = false;
  bool exit_zero_ = false;
  std::string output_;
};

}  // namespace

std::unique_ptr<Command> make_doctor() { return std::make_unique<Doctor>(); }

}  // namespace dra::cmd
