// cmd/repeat_flags.h
//
// The flags that choose the state and how it is judged, repeated in proposed commands, so that a
// copied command asks the same about the same cluster or file.

#pragma once

#include <string>

#include "cmd/command.h"

namespace dra::cmd {

// " --context prod": quoted for a shell, each with a space before it; empty without such flags.
// Never credentials. Standard input cannot be read again: it becomes "--snapshot FILE".
std::string repeat_flags(const GlobalFlags& globals);

// Those of them that kubectl has, too, and that choose the cluster; empty for files and demos.
std::string cluster_flags(const GlobalFlags& globals);

}  // namespace dra::cmd
