// cmd/server_flags.h
//
// --assume-server and --feature-gates: which control plane is simulated, whatever the server or the
// snapshot says.

#pragma once

#include "cmd/command.h"
#include "dra/base/result.h"
#include "dra/snapshot/snapshot.h"

namespace dra::cmd {

// `known` with what the flags say. Fails for a version or a gate that does not exist.
Result<snapshot::Server> assumed_server(const GlobalFlags& globals, snapshot::Server known);

// Whether a flag names a server, a snapshot or a demo, for commands that need none.
bool names_cluster(const GlobalFlags& globals);

}  // namespace dra::cmd
