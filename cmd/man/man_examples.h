// cmd/man/man_examples.h: the command line whose output the manual page of each command shows.

#pragma once

#include <optional>
#include <string_view>

namespace dra::cmd {

struct ShownExample {
  std::string_view command;     // the one of the page
  std::string_view line;        // without `kubectl dra`, of a built-in cluster if it needs one
  std::string_view input = {};  // standard input
};

// No value: what the command prints is no text to read.
std::optional<ShownExample> shown_example(std::string_view command);

}  // namespace dra::cmd
