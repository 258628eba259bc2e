// cmd/server_flags.cpp: parses versions such as v1.36 and gates such as DRADeviceTaints=true.

#include "cmd/server_flags.h"

#include <algorithm>
#include <optional>
#include <string>

#include "dra/api/release.h"
#include "dra/base/text.h"
#include "dra/engine/facts/features.h"

namespace dra::cmd {
namespace {

constexpr std::string_view kAll = "all";

Result<Done> check_release(const std::string& name) {
  const auto release = api::release_of(name);
  if (!release)
    return Error{
        .kind = ErrorKind::BadInput,
        .message = base::format("--assume-server: \"{}\" is not a release of Kubernetes", name),
        .hint = "name one like v1.36"};
  if (release->minor < engine::kOldestRelease || release->minor > engine::kNewestRelease)
    return Error{.kind = ErrorKind::BadInput,
                 .message = base::format("--assume-server: the rules of {} are not known", name),
                 .hint = base::format("the releases v1.{} to v1.{} are", engine::kOldestRelease,
                                      engine::kNewestRelease)};
  return Done{};
}

Error bad_gate(std::string_view entry, const std::string& why, std::string hint) {
  return {.kind = ErrorKind::BadInput,
          .message = base::format("--feature-gates: \"{}\": {}", entry, why),
          .hint = std::move(hint)};
}

Result<Done> add_gate(std::string_view entry, snapshot::Server& server) {
  const std::size_t equals = entry.find('=');
  const std::string_view name = base::trim(entry.substr(0, equals));
  const std::string_view value =
      equals == std::string_view::npos ? "" : base::trim(entry.substr(equals + 1));
  if (value != "true" && value != "false")
    return bad_gate(entry, "a gate is set with =true or =false",
                    "for example DRADeviceTaints=false");
  const auto names = engine::gate_names();
  if (name == kAll) {
    for (const std::string_view gate : names)
      server.gates.emplace_back(gate, value == "true");
    return Done{};
  }
  if (std::ranges::find(names, name) == names.end()) {
    const std::string_view nearest = base::nearest(name, names);
    return bad_gate(entry, "no feature gate of DRA has that name",
                    nearest.empty()
                        ? "the gates are: " +
                              base::join(std::vector<std::string>(names.begin(), names.end()), ", ")
                        : base::format("did you mean {}?", nearest));
  }
  server.gates.emplace_back(name, value == "true");
  return Done{};
}

}  // namespace

Result<snapshot::Server> assumed_server(const GlobalFlags& globals, snapshot::Server known) {
  if (!globals.assume_server.empty()) {
    DRA_TRY(check_release(globals.assume_server));
    known = {.version = globals.assume_server, .assumed = true};
    if (!known.version.starts_with('v')) known.version.insert(0, "v");
  }
  for (const std::string& list : globals.feature_gates) {
    for (const std::string_view entry : base::split(list, ','))
      DRA_TRY(add_gate(entry, known));
  }
  return known;
}

bool names_cluster(const GlobalFlags& globals) {
  const session::ConnectionFlags& connection = globals.connection;
  return !globals.snapshot.empty() || globals.demo || !connection.context.empty() ||
         !connection.cluster.empty() || !connection.server.empty();
}

}  // namespace dra::cmd
