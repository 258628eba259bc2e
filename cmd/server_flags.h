// cmd/server_flags.h
//
// --assume-server and --feature-gates: they override the version and the gates of the server or the
// snapshot.

#pragma once

#include "cmd/command.h"
#include "dra/base/result.h"
#include "dra/snapshot/snapshot.h"

namespace dra::cmd {

// `known` with the flags applied. Fails for a version or a gate that does not exist.
Result<snapshot::Server> assumed_server(const GlobalFlags& globals, snapshot::Server known);

// True if a flag names a server, a snapshot or a demo. For commands that work without one.
bool names_cluster(const GlobalFlags& globals);

}  // namespace dra::cmd
