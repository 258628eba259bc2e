// src/session/process.h
//
// Running another program and reading what it prints: credential plugins. No shell is involved:
// arguments are passed as they are.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "dra/base/result.h"

namespace dra::session {

// Where a program is, found as Go's os/exec.LookPath does it: a name with a slash is a path, any
// other is looked for in the directories of `search_path` ($PATH). A program that is found through
// a directory that is not absolute is refused, as whoever may write there would be obeyed. Fails
// with NotFound, or with Io for what cannot be executed.
Result<std::string> find_program(const std::string& name, std::string_view search_path);

struct Program {
  std::string path = {};                      // as find_program() found it
  std::vector<std::string> arguments = {};    // the first is the program's own name
  std::vector<std::string> environment = {};  // NAME=VALUE, all of it
  bool share_input = false;                   // standard input is ours; else it is empty
  std::size_t max_output = std::size_t{1} << 20U;
};

// How a program ended.
struct Outcome {
  int exit_code = 0;
  int signal = 0;  // that ended it, or 0
  bool too_long = false;
  std::string output = {};  // standard output; empty if too long
};

// Waits for the program, without a limit of time: it may ask a person. Standard error is ours. The
// program has no other descriptor of ours, and does not ignore SIGPIPE as we do; as it is in our
// process group, an interrupt typed at the terminal ends it, too. A program that prints more than
// max_output is killed. Fails with Io if it cannot be started.
Result<Outcome> run_program(const Program& program);

}  // namespace dra::session
