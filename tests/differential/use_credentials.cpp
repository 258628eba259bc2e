// tests/differential/use_credentials.cpp: makes of kubectl's flags and the environment what a
// request would be sent with, for credentials_test.go to compare with kubectl. No request is sent.

#include <iostream>
#include <string>
#include <vector>

#include "cmd/flags.h"
#include "cmd/process.h"

namespace {

using namespace dra;

Result<Done> use_credentials(const std::vector<std::string>& words) {
  cmd::GlobalFlags globals;
  DRA_TRY(cmd::parse_flags(cmd::global_flags(globals), words));
  const cmd::Console console = cmd::process_console("use_credentials");
  const session::Connection connection =
      DRA_TRY(session::resolve_connection(globals.connection, console.environment));
  if (connection.authenticator) DRA_TRY(connection.authenticator->current());
  return Done{};
}

}  // namespace

int main(int argc, char** argv) {
  const Result<Done> done = use_credentials({argv + 1, argv + argc});
  if (done.ok()) return 0;
  std::cerr << done.error().message << '\n';
  return 1;
}
