// tests/support/fake_console.h
//
// The context of a run, in memory: no terminal, no network, an empty environment, a clock that
// stands still.

#pragma once

#include <map>
#include <sstream>
#include <string>

#include "cmd/command.h"

namespace dra::support {

class FakeConsole {
 public:
  struct Options {
    std::string now = "2026-11-20T09:30:00Z";
    int width = 120;
    render::Screen screen = {};
    std::map<std::string, std::string, std::less<>> environment = {};
    bool terminal = false;
    std::string input = {};  // what standard input holds
    std::string program = "kubectl-dra";
  };

  FakeConsole() : FakeConsole(Options()) {}
  explicit FakeConsole(const Options& options);
  FakeConsole(const FakeConsole&) = delete;
  FakeConsole& operator=(const FakeConsole&) = delete;

  const dra::cmd::Console& streams() const { return console_; }
  std::string out() const { return out_.str(); }
  std::string err() const { return err_.str(); }

 private:
  std::ostringstream out_;
  std::ostringstream err_;
  dra::cmd::Console console_;
};

}  // namespace dra::support
