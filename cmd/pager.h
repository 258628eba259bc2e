// cmd/pager.h
//
// Output on a terminal that is longer than its screen goes through the user's pager, as git's does.
// What fits the screen is written directly.

#pragma once

#include <cstdio>
#include <ostream>
#include <streambuf>
#include <string>

#include "cmd/command.h"

namespace dra::cmd {

// The command of $KUBECTL_DRA_PAGER, or else of $PAGER. Empty: none, or `cat`, or no terminal that
// a pager could draw on.
std::string pager_of(const Console& console);

// Stands between a stream and its buffer while it lives. Once there are more lines than the screen
// has, it starts the pager, if that can be run, and the destructor waits until the user has left
// it. A flush before that shows what there is; then everything goes to the terminal directly.
class Pager final : public std::streambuf {
 public:
  Pager(std::ostream& out, std::string command, int height);
  ~Pager() override;
  Pager(const Pager&) = delete;
  Pager& operator=(const Pager&) = delete;

 protected:
  int_type overflow(int_type character) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;

 private:
  bool can_run() const;
  void start();
  // Gives what is held back to the pager, or else to the terminal.
  bool release();
  bool write(const char* text, std::size_t size);

  std::ostream& out_;
  std::streambuf* terminal_;
  std::string command_;  // empty: nothing is held back
  int height_;
  std::string held_;
  int lines_ = 0;  // of held_
  std::FILE* pipe_ = nullptr;
};

}  // namespace dra::cmd
