// cmd/commands/convert.cpp: `kubectl dra convert`: rewrites manifests of older API versions in the
// newest, and pods for device plugins as pods for DRA drivers.

#include <set>

#include "cmd/commands.h"
#include "cmd/manifest_files.h"
#include "dra/api/pod_templates.h"
#include "dra/base/printable.h"
#include "dra/base/text.h"
#include "dra/checks/convert/conversion.h"
#include "dra/checks/convert/device_plugin.h"

namespace dra::cmd {
namespace {

std::string_view description() {
  static const std::string text =
      std::string(
          "Claims, templates, classes, slices and rules for taints of v1alpha3, v1beta1 and "
          "v1beta2 become v1: of a request what stands next to its name goes below `exactly`, and "
          "of a device what is in `basic` goes next to its name. Comments, order and quotes stay, "
          "and so does everything else in the files. Where an object cannot be changed as it "
          "stands, as behind an alias, its whole file is printed, without comments, and a warning "
          "says so.\n\nWith --from-device-plugin also pods become pods with a claim that ask for "
          "devices of a device plugin, as with nvidia.com/gpu: 1 or google.com/tpu: 4 among their "
          "limits, and so do templates for pods in ") +
      api::kinds_with_pod_templates() +
      ". Before the object comes a "
      "ResourceClaimTemplate, with a request for each container that asks. Node selectors "
      "stay: they name labels of nodes, which DRA does not change. A resource for which no "
      "DRA driver is known, or whose devices a claim cannot describe, stays as it is, and a "
      "warning says why.\n\n"
      "Nothing is checked: kubectl dra validate says what is wrong.";
  return text;
}

class Convert final : public Command {
 public:
  Info info() const override {
    return {.name = "convert",
            .usage = "-f FILE",
            .summary = "Convert manifests to the newest DRA API version.",
            .description = description(),
            .examples = {{"convert -f claim.yaml", "a file in v1"},
                         {"convert -f deployment.yaml --from-device-plugin",
                          "a Deployment that asks for nvidia.com/gpu, with claims"},
                         {"convert -R -f manifests/ | kubectl dra validate -f -",
                          "whether a whole tree is right afterwards"}},
            .task = Task::Author};
  }

  std::vector<Flag> flags() override {
    return {
        filename_flag(files_),
        {"from-device-plugin", '\0', "",
         "Also turn pods that ask for devices of a device plugin into pods with a claim.",
         &from_device_plugin_},
        recursive_flag(recursive_),
        {.name = "to",
         .value = "VERSION",
         .help = "The version to convert to; there is one.",
         .target = &to_,
         .choices = {"v1"}},
    };
  }

  Result<ExitCode> run(Context& context) override {
    if (files_.empty())
      return Error{ErrorKind::BadInput, "there is nothing to convert",
                   "name files or directories with -f, or - for standard input"};
    std::string out;
    for (const ManifestFile& file : DRA_TRY(read_manifests(context, files_, recursive_))) {
      const std::string converted = DRA_TRY(convert(context, file));
      const bool divided = out.empty() || converted.starts_with("---");
      if (!divided) out += "---\n";
      out += converted;
      if (!out.ends_with('\n')) out += '\n';
    }
    context.print_text(context.console().terminal ? base::printable_block(out) : out);
    print_notes(context);
    return ExitCode::Done;
  }

 private:
  Result<std::string> convert(const Context& context, const ManifestFile& file) {
    checks::FromDevicePlugin pods{.text = file.text};
    if (from_device_plugin_) {
      pods = DRA_TRY(checks::from_device_plugin(file.text).context(file.name));
      for (const checks::PluginRemark& remark : pods.remarks)
        context.warn(base::format("{}: line {}: {}", file.name, remark.position.line, remark.text));
      pods_ += pods.pods;
      notes_.merge(pods.notes);
    }
    auto newest = DRA_TRY(checks::to_newest(pods.text).context(file.name));
    if (!newest.hopeless.empty()) return cannot_convert(file, newest.hopeless);
    if (pods.comments_lost || newest.comments_lost) warn_comments_lost(context, file.name);
    return std::move(newest.text);
  }

  // Names the first; the file has to be changed by hand anyway.
  static Error cannot_convert(const ManifestFile& file,
                              const std::vector<checks::Hopeless>& hopeless) {
    const checks::Hopeless& first = hopeless.front();
    const std::string line =
        first.position.line > 0 ? base::format(": line {}", first.position.line) : "";
    const auto more = static_cast<std::int64_t>(hopeless.size()) - 1;
    return {ErrorKind::BadInput,
            base::format("{}{}: {} cannot be converted{}", file.name, line, first.object,
                         more == 0 ? "" : base::format(", nor can {} more", more)),
            !first.advice.empty() ? first.advice
            : first.is_classic
                ? "v1alpha2 names a resource class and parameters of a driver, which v1 does not "
                  "have: create a new claim, with requests that name a device class"
                : "there is no such kind or version: correct it"};
  }

  void print_notes(const Context& context) {
    if (from_device_plugin_ && pods_ == 0)
      notes_.insert("no pod was converted: none asks for devices that a DRA driver is known for");
    for (const std::string& note : notes_)
      context.console().streams.err << "note: " << base::printable(note) << '\n';
  }

  std::vector<std::string> files_;
  std::string to_;
  std::set<std::string> notes_;
  std::size_t pods_ = 0;  // that were converted
  bool from_device_plugin_ = false;
  bool recursive_ = false;
};

}  // namespace

std::unique_ptr<Command> make_convert() { return std::make_unique<Convert>(); }

}  // namespace dra::cmd
