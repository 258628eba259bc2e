// src/session/process.h
//
// Runs another program, a credential plugin, and reads its output. No shell is involved: arguments
// are passed as they are.

#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/base/result.h"
#include "dra/base/time.h"

namespace dra::session {

// The path of a program, found as by Go's os/exec.LookPath: a name with a slash is a path, any
// other is searched in the directories of `search_path` ($PATH). A program in a directory that is
// not absolute is refused, because anyone who may write there could choose it. Fails with NotFound,
// or with Io for a file that cannot be executed.
Result<std::string> find_program(const std::string& name, std::string_view search_path);

struct Program {
  std::string path = {};                      // as find_program() found it
  std::vector<std::string> arguments = {};    // the first is the program's own name
  std::vector<std::string> environment = {};  // NAME=VALUE, all of it
  bool share_input = false;                   // standard input is ours; else it is empty
  std::size_t max_output = std::size_t{1} << 20U;
  base::Duration within = base::Duration::seconds(300);
  // Receives what it prints to standard error, line by line, up to max_output. It may hold
  // anything.
  std::function<void(std::string_view line)> on_error_line = {};
};

// The end of a program.
struct Outcome {
  int exit_code = 0;
  int signal = 0;  // that ended it, or 0
  bool too_long = false;
  bool timed_out = false;
  std::string output = {};  // standard output; empty if too long, or if the time was over
};

// Runs the program and waits for it, but not for programs that it leaves behind. It inherits no
// descriptor but standard input, if that is shared, and does not ignore SIGPIPE as we do. It is in
// our process group, so an interrupt typed at the terminal ends it, too; and it gets SIGTERM when
// we end. A program that prints more than max_output, or that takes longer than `within`, is ended.
// Fails with Io if it cannot be started.
Result<Outcome> run_program(const Program& program);

}  // namespace dra::session
