// cmd/commands/doctor.cpp: `kubectl dra doctor`: all problems of a cluster.

#include "dra/report/doctor/doctor.h"

#include <map>

#include "cmd/command.h"
#include "cmd/commands.h"
#include "cmd/list_flags.h"
#include "cmd/report_output.h"
#include "cmd/report_source.h"
#include "cmd/version.h"
#include "dra/api/pod.h"
#include "dra/engine/cluster/pods.h"
#include "dra/render/annotations.h"
#include "dra/render/openmetrics.h"

namespace dra::cmd {
namespace {

class Doctor final : public Command {
 public:
  Info info() const override {
    return {
        .name = "doctor",
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
            "claims; with it, claims, pods and their problems of one.",
        .examples = {{"doctor", "the whole cluster"},
                     {"doctor -n ml -o json", "a namespace, for a program"},
                     {"doctor -o html >problems.html", "a page, for a ticket"},
                     {"doctor -o junit >doctor.xml", "a test report, for CI"},
                     {"doctor -o openmetrics", "figures for Prometheus"}},
        .exits = {{0, "Nothing was found, or hints only."}, {2, "Errors or warnings were found."}},
        .task = Task::Diagnose,
        .contexts = Combination::Reports};
  }

  std::vector<Flag> flags() override {
    std::vector<Flag> flags = {
        all_namespaces_flag(all_namespaces_),
        {"exit-zero", '\0', "", "Exit with 0 also if something was found.", &exit_zero_}};
    add_flags(flags, output_.flags());
    return flags;
  }

  Result<ExitCode> run(Context& context) override {
    DRA_TRY(output_.read());
    const report::OverviewSource source = DRA_TRY(report_source(context));
    const auto [snapshot, ns] = DRA_TRY(load_for_problems(context, info().name, all_namespaces_));
    const engine::Inventory inventory(snapshot);
    const base::Instant now = context.now(snapshot);
    const answers::Doctor doctor = answers::examine({snapshot, inventory, now}, ns);
    const std::string& format = output_.name();
    if (format == "sarif") {
      context.print_text(render::to_sarif(report::to_json(doctor, source), version()));
    } else if (format == "github") {
      context.print_text(render::to_github(report::to_json(doctor, source)));
    } else if (format == "junit") {
      context.print_text(render::to_junit(report::to_json(doctor, source)));
    } else if (format == "openmetrics") {
      auto families = render::doctor_metrics(report::to_json(doctor, source));
      families.push_back(waiting_pods(snapshot, ns));
      context.print_text(render::to_openmetrics(families));
    } else {
      DRA_TRY(output_.print(context, {.json = [&] { return report::to_json(doctor, source); },
                                      .document = [&] { return report::to_view(doctor, source); },
                                      .page = {"doctor", now}}));
    }
    return doctor.found() && !exit_zero_ ? ExitCode::Found : ExitCode::Done;
  }

 private:
  // How many pods of each namespace wait for devices.
  static render::MetricFamily waiting_pods(const snapshot::Snapshot& snapshot,
                                           const std::string& ns) {
    std::map<std::string, std::int64_t> counts;
    for (const api::Pod* pod : engine::waiting_pods(snapshot)) {
      if (ns.empty() || pod->meta.namespace_ == ns) ++counts[std::string(pod->meta.namespace_)];
    }
    render::MetricFamily family{"kube_dra_pods_waiting",
                                "Pods that use claims and have no node yet, by namespace."};
    for (const auto& [name, count] : counts)
      family.samples.push_back({{{"namespace", name}}, std::to_string(count)});
    return family;
  }

  bool all_namespaces_ = false;
  bool exit_zero_ = false;
  ReportOutput output_{{"github", "html", "junit", "openmetrics", "sarif"},
                       "Write another format than text: html is a page; junit, sarif, github "
                       "(workflow commands) and openmetrics (Prometheus) are for other programs; "
                       "jsonpath, go-template and custom-columns take an expression after `=`."};
};

}  // namespace

std::unique_ptr<Command> make_doctor() { return std::make_unique<Doctor>(); }

}  // namespace dra::cmd
