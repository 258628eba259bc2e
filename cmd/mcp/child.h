// cmd/mcp/child.h
//
// One run of this program in a process of its own, so that it can be stopped, and can fail without
// taking the server along.

#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cmd/command.h"
#include "dra/base/result.h"

namespace dra::cmd {

class Child {
 public:
  // Starts run_cli() with these words and this standard input. Fails with Io. Between fork() and
  // the run nothing is allocated by another thread: the server has one.
  static Result<Child> start(const std::vector<std::string>& words,
                             const std::optional<std::string>& input, const Console& console);
  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;
  ~Child();  // ends it

  // To be waited for; -1 when nothing more comes.
  int output() const { return output_; }
  int errors() const { return errors_; }
  // Reads what is there, of one of the two. A child that prints more than `most` bytes is ended.
  void read(int descriptor, std::size_t most);
  bool is_done() const { return output_ < 0 && errors_ < 0; }
  // Waits for the end. The exit code, or none if a signal ended it.
  std::optional<int> finish();

  const std::string& printed() const { return printed_; }
  const std::string& complained() const { return complained_; }
  bool printed_too_much() const { return too_much_; }

 private:
  Child(pid_t process, int output, int errors)
      : process_(process), output_(output), errors_(errors) {}
  void stop() const;

  pid_t process_;
  int output_;
  int errors_;
  std::string printed_;
  std::string complained_;
  bool too_much_ = false;
};

}  // namespace dra::cmd
