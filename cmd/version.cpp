// cmd/version.cpp: the version, and `kubectl dra version`.

#include "cmd/version.h"

#include "cmd/command.h"
#include "cmd/commands.h"
#include "dra/base/text.h"
#include "dra/report/phrases/envelope.h"

namespace dra::cmd {
namespace {

constexpr std::string_view kVersion = DRA_VERSION;
constexpr std::string_view kCommit = DRA_COMMIT;  // empty unless the build was told it
// Releases whose scheduler, kubelet and API server the engine and the checks follow.
constexpr std::string_view kOldestRelease = "1.34";
constexpr std::string_view kNewestRelease = "1.37";

#if defined(__x86_64__)
constexpr std::string_view kPlatform = "linux/amd64";
#elif defined(__aarch64__)
constexpr std::string_view kPlatform = "linux/arm64";
#else
constexpr std::string_view kPlatform = "linux";
#endif

class Version final : public Command {
 public:
  Info info() const override {
    return {
        .name = "version",
        .summary = "Print the version.",
        .description =
            "The commit is known in releases. The Kubernetes releases are those whose scheduler, "
            "kubelet and API server the answers follow.\n\nWith --with-server also the version of "
            "the API server, or of the server that a "
            "snapshot was taken from.",
        .examples = {{"version", "the version of this program"},
                     {"version --with-server -o json", "both versions, for a script"}},
        .task = Task::Other};
  }

  std::vector<Flag> flags() override {
    return {{"client", '\0', "", "Show this program's version only, as without flags.", &client_},
            {"output", 'o', "FORMAT", "Write JSON instead of text.", &output_, {"json"}},
            {"with-server", '\0', "", "Show the version of the server, too.", &with_server_}};
  }

  Result<ExitCode> run(Context& context) override {
    if (client_ && with_server_)
      return Error{ErrorKind::BadInput, "--client and --with-server cannot be used together", {}};
    snapshot::Server server;
    if (with_server_) {
      const auto snapshot = DRA_TRY(context.load({}));
      server = snapshot.server();
    }
    if (output_ == "json") {
      json::Value report = report::report_object("Version");
      report.set("version", version());
      if (!kCommit.empty()) report.set("commit", std::string(kCommit));
      json::Value releases = json::Value::object();
      releases.set("oldest", std::string(kOldestRelease));
      releases.set("newest", std::string(kNewestRelease));
      report.set("kubernetesReleases", std::move(releases));
      if (with_server_) {
        report.set("serverVersion", server.version);
        report.set("serverAssumed", server.assumed);
      }
      context.print_json(report);
      return ExitCode::Done;
    }
    view::Document document;
    document.add(view::Paragraph{{{version_line()}}});
    if (with_server_) {
      const std::string known = server.assumed ? " (assumed)" : "";
      document.add(view::Paragraph{{{base::format("server {}{}", server.version, known)}}});
    }
    context.print(document);
    return ExitCode::Done;
  }

 private:
  std::string output_;
  bool client_ = false;
  bool with_server_ = false;
};

}  // namespace

std::string version() { return std::string(kVersion); }

std::string version_line() {
  const std::string commit = kCommit.empty() ? "" : base::format("commit {}, ", kCommit);
  return base::format("kubectl-dra {} ({}Kubernetes {} to {})", kVersion, commit, kOldestRelease,
                      kNewestRelease);
}

std::string user_agent() {
  return "kubectl-dra/" + version() + " (" + std::string(kPlatform) + ")";
}

std::unique_ptr<Command> make_version() { return std::make_unique<Version>(); }

}  // namespace dra::cmd
