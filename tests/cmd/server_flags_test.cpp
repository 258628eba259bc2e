// tests/cmd/server_flags_test.cpp

#include "cmd/server_flags.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dra/base/text.h"
#include "dra/engine/facts/features.h"

namespace dra::cmd::server_flags_test {
namespace {

// "v1.36.0 DRADeviceTaints=false", with "(assumed)" behind the version where nobody said it; or the
// error with its hint.
std::string to_line(const Result<snapshot::Server>& answer) {
  if (!answer.ok()) return base::format("{}; {}", answer.error().message, answer.error().hint);
  const snapshot::Server& server = answer.value();
  std::string line = server.version + (server.assumed ? " (assumed)" : "");
  for (const auto& [gate, on] : server.gates)
    line += base::format(" {}={}", gate, on ? "true" : "false");
  return line;
}

struct Case {
  std::string name;
  std::string version;
  std::vector<std::string> gates;
  std::string want;
};

// Of a server that says it is v1.35.2, with one gate that is known to be on.
void check(const Case& row) {
  CAPTURE(row.name);
  GlobalFlags globals;
  globals.assume_server = row.version;
  globals.feature_gates = row.gates;
  const snapshot::Server known{"v1.35.2", false, {{"DRADeviceTaints", true}}};
  CHECK(to_line(assumed_server(globals, known)) == row.want);
}

TEST_CASE("--assume-server") {
  const std::string hint = " is not a release of Kubernetes; name one like v1.36";
  const Case rows[] = {
      {"without it what is known holds", "", {}, "v1.35.2 DRADeviceTaints=true"},
      {"with it nothing of that", "v1.36.1", {}, "v1.36.1 (assumed)"},
      {"a release is enough", "v1.36", {}, "v1.36 (assumed)"},
      {"without the letter, too", "1.36", {}, "v1.36 (assumed)"},
      {"what vendors add stays", "v1.36.2-gke.100", {}, "v1.36.2-gke.100 (assumed)"},
      {"one number is none", "1", {}, "--assume-server: \"1\"" + hint},
      {"there is no 2", "v2.0", {}, "--assume-server: \"v2.0\"" + hint},
      {"words are none", "v1.latest", {}, "--assume-server: \"v1.latest\"" + hint},
      {"a release needs a number", "v1.", {}, "--assume-server: \"v1.\"" + hint},
      {"of some digits", "v1.99999999999", {}, "--assume-server: \"v1.99999999999\"" + hint},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("--feature-gates") {
  const Case rows[] = {
      {"come after what is known, and so outweigh it",
       "",
       {"DRADeviceTaints=false"},
       "v1.35.2 DRADeviceTaints=true DRADeviceTaints=false"},
      {"several in one flag",
       "v1.36",
       {"DRADeviceTaints=false,DRAAdminAccess=true"},
       "v1.36 (assumed) DRADeviceTaints=false DRAAdminAccess=true"},
      {"and in several",
       "v1.36",
       {"DRADeviceTaints=false", "DRADeviceTaints=true"},
       "v1.36 (assumed) DRADeviceTaints=false DRADeviceTaints=true"},
      {"spaces do not matter",
       "v1.36",
       {" DRADeviceTaints = false , DRAAdminAccess=true"},
       "v1.36 (assumed) DRADeviceTaints=false DRAAdminAccess=true"},
      {"a slip",
       "",
       {"DRADeviceTaint=true"},
       "--feature-gates: \"DRADeviceTaint=true\": no feature gate of DRA has that name; did you "
       "mean DRADeviceTaints?"},
      {"names are written exactly",
       "",
       {"dradevicetaints=true"},
       "--feature-gates: \"dradevicetaints=true\": no feature gate of DRA has that name; did you "
       "mean DRADeviceTaints?"},
      {"no value",
       "",
       {"DRADeviceTaints"},
       "--feature-gates: \"DRADeviceTaints\": a gate is set with =true or =false; for example "
       "DRADeviceTaints=false"},
      {"another value",
       "",
       {"DRADeviceTaints=yes"},
       "--feature-gates: \"DRADeviceTaints=yes\": a gate is set with =true or =false; for example "
       "DRADeviceTaints=false"},
      {"an entry that is empty",
       "",
       {"DRADeviceTaints=true,"},
       "--feature-gates: \"\": a gate is set with =true or =false; for example "
       "DRADeviceTaints=false"},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("of a gate that is like none all names are told") {
  GlobalFlags globals;
  globals.feature_gates = {"Something=true"};
  const std::string line = to_line(assumed_server(globals, {}));
  CHECK(line.find("; the gates are: DRAAdminAccess, ") != std::string::npos);
  CHECK(line.find(", DynamicResourceAllocation") != std::string::npos);
}

TEST_CASE("the gate all stands for every gate") {
  GlobalFlags globals;
  globals.feature_gates = {"all=true,DRADeviceTaints=false"};
  const auto server = assumed_server(globals, {});
  REQUIRE(server.ok());
  const engine::Features features = engine::features_of(server.value());
  for (const engine::Gate gate :
       {engine::Gate::DRAAdminAccess, engine::Gate::DynamicResourceAllocation,
        engine::Gate::VolumeLimitScaling})
    CHECK(features.on(gate));
  // Names are those of DRA alone.
  constexpr std::size_t others = 5;
  CHECK(features.names().size() == engine::gate_names().size() - others - 1);
  CHECK_FALSE(features.on(engine::Gate::DRADeviceTaints));
}

}  // namespace
}  // namespace dra::cmd::server_flags_test
