// cmd/repeat_flags.h
//
// Flags that choose the state, for the commands that a page proposes: whoever copies one asks about
// the same cluster or file.

#pragma once

#include <string>

#include "cmd/command.h"

namespace dra::cmd {

// " --context prod", quoted for a shell, each with a space before it; empty if none was given.
// Never credentials. What came from standard input is gone by then: "--snapshot FILE" stands for
// it.
std::string repeat_flags(const GlobalFlags& globals);

}  // namespace dra::cmd
