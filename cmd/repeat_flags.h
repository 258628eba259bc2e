// cmd/repeat_flags.h
//
// The flags that choose the state, repeated in proposed commands, so that a copied command reads
// the same cluster or file.

#pragma once

#include <string>

#include "cmd/command.h"

namespace dra::cmd {

// " --context prod": quoted for a shell, each with a space before it; empty without such flags.
// Never credentials. Standard input cannot be read again: it becomes "--snapshot FILE".
std::string repeat_flags(const GlobalFlags& globals);

}  // namespace dra::cmd
