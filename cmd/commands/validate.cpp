// cmd/commands/validate.cpp: `kubectl dra validate`: every mistake in a manifest, before the API
// server or the scheduler trips over it.

#include <algorithm>
#include <array>

#include "cmd/commands.h"
#include "cmd/manifest_files.h"
#include "cmd/needs.h"
#include "cmd/output.h"
#include "cmd/repeat_flags.h"
#include "cmd/server_flags.h"
#include "cmd/version.h"
#include "dra/answers/validate/validation.h"
#include "dra/api/pod_templates.h"
#include "dra/base/files.h"
#include "dra/base/line_diff.h"
#include "dra/base/printable.h"
#include "dra/base/text.h"
#include "dra/checks/convert/corrections.h"
#include "dra/render/annotations.h"
#include "dra/report/phrases/envelope.h"
#include "dra/report/validate/validation.h"
#include "dra/session/download.h"
#include "dra/session/dry_run.h"

namespace dra::cmd {
namespace {

using checks::Severity;

// What a claim meets in a cluster depends on these.
const std::array kNeeds = {
    snapshot::Need{.kind = api::Kind::Slice},     snapshot::Need{.kind = api::Kind::Claim},
    snapshot::Need{.kind = api::Kind::Class},     snapshot::Need{.kind = api::Kind::Node},
    snapshot::Need{.kind = api::Kind::TaintRule}, snapshot::Need{.kind = api::Kind::Namespace},
    snapshot::Need{.kind = api::Kind::Quota},     snapshot::Need{.kind = api::Kind::Template}};

std::string_view description() {
  static const std::string text =
      std::string(
          "An error is what the API server refuses under kubectl's default, strict validation of "
          "fields: unknown and doubled fields, values of the wrong type, and every rule for "
          "claims, templates, classes, slices, rules for taints and the claims of pods, with CEL "
          "compiled and costed. Type and path are the server's, and all errors are reported at "
          "once, each with file, line and column. A warning is what the server accepts, and "
          "what fails later.\n\nPods are also looked for in ") +
      api::kinds_with_pod_templates() +
      ". Objects of other kinds are counted and not checked. No server is asked: the rules are "
      "those of Kubernetes v1.37 "
      "with its default feature gates, unless --against, --server-dry-run, --assume-server "
      "or --feature-gates say otherwise.";
  return text;
}

class Validate final : public Command {
 public:
  Info info() const override {
    return {.name = "validate",
            .usage = "-f FILE",
            .summary = "Check manifests against the API server's rules, offline.",
            .description = description(),
            .examples = {{"validate -f claim.yaml", "what is wrong in a file"},
                         {"validate -f claim.yaml --fix",
                          "correct what is beyond doubt, and say the rest"},
                         {"validate -R -f manifests/ -o json", "a whole tree, for other programs"},
                         {"validate --feature-gates DRADerivedAttributes=true -f -",
                          "standard input, for a cluster with a gate that is off by default"}},
            .exits = {{0, "Nothing is refused."},
                      {1, "A file could not be read."},
                      {2, "Something is refused; with --strict also: there are warnings."}},
            .task = Task::Author};
  }

  std::vector<Flag> flags() override {
    return {
        {"against", '\0', "cluster|FILE",
         "Also say what claims and templates meet there: how many devices each request matches and "
         "how many are free, missing classes, selectors that match nothing or fail, taints, more "
         "devices than a node has, quotas that are exhausted, versions that are not served. "
         "Objects that are there already are checked as updates: what is immutable, and what has "
         "changed since. --snapshot, --demo, --context, --cluster and --server mean it, too.",
         &against_},
        {"exit-zero", '\0', "", "Exit with 0 also if something was found.", &exit_zero_},
        filename_flag(files_),
        {"fix", '\0', "",
         "Correct in the files what is beyond doubt, and print what changes: older versions, "
         "requests in the shape of v1beta1, names with capital letters. What is left is reported "
         "then.",
         &fix_},
        {.name = "output",
         .letter = 'o',
         .value = "FORMAT",
         .help = "Write another format than text; jsonpath and custom-columns take an "
                 "expression after `=`.",
         .target = &output_,
         .choices = {"github", "json", "junit", "kyaml", "sarif", "yaml"},
         .open = true},
        recursive_flag(recursive_),
        {"server-dry-run", '\0', "",
         "Also have the server itself say about each object what it would say if it were created, "
         "or changed where it exists, and tell where that differs. Nothing is changed; the right "
         "to create or update such objects is needed. Means --against cluster, too.",
         &server_dry_run_},
        {.name = "severity",
         .value = "LEAST",
         .help = "Report nothing less severe than this.",
         .target = &severity_,
         .choices = {"error", "hint", "warning"}},
        {"strict", '\0', "", "Exit with 2 also for warnings.", &strict_},
    };
  }

  Result<ExitCode> run(Context& context) override {
    const bool annotates = output_ == "sarif" || output_ == "github" || output_ == "junit";
    const Output output = DRA_TRY(read_output(annotates ? "json" : output_, false));
    if (output.format == Format::Name)
      return Error{ErrorKind::BadInput, "--output=name cannot be used with validate",
                   "-o json has the findings"};
    if (files_.empty())
      return Error{ErrorKind::BadInput, "there is nothing to validate",
                   "name files or directories with -f, or - for standard input"};
    const bool no_file = std::ranges::any_of(
        files_, [](const auto& name) { return name == "-" || session::is_url(name); });
    if (fix_ && (no_file || annotates || !output.table()))
      return Error{ErrorKind::BadInput, "--fix changes files, and prints what it changes as text",
                   "omit -o, and write what is not a file into one"};
    const bool no_server = !context.source().live() || !(against_.empty() || against_ == "cluster");
    if (server_dry_run_ && no_server)
      return Error{ErrorKind::BadInput,
                   "--server-dry-run asks a server, and a file is named instead",
                   "run it without --snapshot, --demo and --against FILE"};
    std::vector<answers::Manifest> manifests;
    for (ManifestFile& file : DRA_TRY(read_manifests(context, files_, recursive_)))
      manifests.push_back(answers::read_manifest(std::move(file.name), std::move(file.text)));
    const auto cluster = DRA_TRY(load_cluster(context, manifests));
    const auto server = DRA_TRY(assumed_server(
        context.globals(), cluster ? cluster->snapshot.server() : snapshot::Server()));
    checks::ManifestChecker checker(server);
    if (cluster) checker.compare_with(cluster->snapshot, cluster->default_namespace);
    if (server_dry_run_) checker.keep_written();
    answers::Validation validation;
    for (answers::Manifest& manifest : manifests) {
      if (fix_) DRA_TRY(fix(context, checker, manifest));
      answers::validate(std::move(manifest), checker, validation);
    }
    answers::check_references(validation, cluster.has_value() || server_dry_run_);
    if (cluster) {
      answers::check_cluster(cluster->snapshot, cluster->default_namespace,
                             flags_of_cluster(context), validation);
    }
    if (server_dry_run_) DRA_TRY(ask_server(context, cluster->default_namespace, validation));
    const bool found = validation.count(Severity::Error) > 0 ||
                       (strict_ && validation.count(Severity::Warning) > 0);
    answers::drop_below(least(), validation);
    if (annotates) {
      print_annotations(context, report::to_json(validation));
    } else if (output.table()) {
      context.print(report::to_view(validation));
    } else {
      json::Value report = report::to_json(validation);
      if (cluster) report::add_coverage(report, cluster->snapshot.coverage());
      DRA_TRY(print_structured(context, report, output, Printed::Report));
    }
    return found && !exit_zero_ ? ExitCode::Found : ExitCode::Done;
  }

 private:
  // What the answers depend on, and the objects that the files would update.
  static std::vector<snapshot::Need> needs_of(const std::vector<answers::Manifest>& manifests,
                                              const std::string& ns) {
    std::vector<snapshot::Need> needs(kNeeds.begin(), kNeeds.end());
    std::ranges::move(answers::update_target_needs(manifests, ns), std::back_inserter(needs));
    return needs;
  }

  void print_annotations(const Context& context, const json::Value& validation) const {
    context.print_text(output_ == "sarif"    ? render::to_sarif(validation, version())
                       : output_ == "github" ? render::to_github(validation)
                                             : render::to_junit(validation));
  }

  struct Cluster {
    snapshot::Snapshot snapshot;
    std::string default_namespace;
  };

  // What --against names, or the flags that every command has; no value: no cluster is meant.
  Result<std::optional<Cluster>> load_cluster(
      Context& context, const std::vector<answers::Manifest>& manifests) const {
    if (against_.empty() && !server_dry_run_ && !names_cluster(context.globals()))
      return std::optional<Cluster>();
    if (against_.empty() || against_ == "cluster") {
      std::string ns = DRA_TRY(snapshot::default_namespace(context.source()));
      context.use_server_gates();
      // What a manifest would change is compared field by field.
      auto needs = verbatim(needs_of(manifests, ns));
      return std::optional(Cluster{DRA_TRY(context.load(needs)), std::move(ns)});
    }
    snapshot::Source source;
    source.files = {against_};
    source.flags.namespace_ = context.globals().connection.namespace_;
    source.standard_input = context.console().streams.read_input;
    std::string ns = DRA_TRY(snapshot::default_namespace(source));
    auto snapshot = DRA_TRY(snapshot::load(source, needs_of(manifests, ns)).context("--against"));
    return std::optional(Cluster{std::move(snapshot), std::move(ns)});
  }

  // With which other commands ask about the same cluster.
  std::string flags_of_cluster(const Context& context) const {
    if (against_.empty() || against_ == "cluster") return repeat_flags(context.globals());
    return " --snapshot " + base::shell_word(against_);
  }

  static Result<Done> ask_server(const Context& context, const std::string& ns,
                                 answers::Validation& validation) {
    auto questions = answers::questions_of(validation, ns);
    std::vector<session::Proposal> proposals;
    proposals.reserve(questions.size());
    for (answers::Question& question : questions)
      proposals.push_back(std::move(question.proposal));
    session::Client client(DRA_TRY(context.source().connection()), context.source().client);
    std::vector<session::Verdict> verdicts;
    for (auto& verdict : session::dry_run(client, std::move(proposals)))
      verdicts.push_back(DRA_TRY(std::move(verdict)));
    answers::check_verdicts(questions, verdicts, validation);
    return Done{};
  }

  // Shows the change before the file has it. Text that is no YAML is left for the checks to report.
  static Result<Done> fix(const Context& context, const checks::ManifestChecker& checker,
                          answers::Manifest& manifest) {
    auto corrected = checks::correct(manifest.text, checker);
    if (!corrected.ok()) return Done{};
    std::string& text = corrected.value().text;
    const std::string diff = base::unified_diff(manifest.file, manifest.text, text);
    if (diff.empty()) return Done{};
    if (corrected.value().comments_lost) warn_comments_lost(context, manifest.file);
    context.print_text(base::printable_block(diff));
    manifest = answers::read_manifest(std::move(manifest.file), std::move(text));
    return base::write_output(manifest.file, manifest.text, DRA_TRY(base::mode_of(manifest.file)));
  }

  Severity least() const {
    if (severity_ == "error") return Severity::Error;
    return severity_ == "warning" ? Severity::Warning : Severity::Hint;
  }

  std::string against_;
  std::vector<std::string> files_;
  std::string output_;
  std::string severity_;
  bool exit_zero_ = false;
  bool fix_ = false;
  bool recursive_ = false;
  bool server_dry_run_ = false;
  bool strict_ = false;
};

}  // namespace

std::unique_ptr<Command> make_validate() { return std::make_unique<Validate>(); }

}  // namespace dra::cmd
