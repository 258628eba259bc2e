// tests/golden/field_row.h: what must be in the answer about a cluster in trouble, whatever its
// words.

#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cmd/cli.h"

namespace dra::golden {

struct Row {
  const char* file;  // of tests/golden/field, without ".yaml"
  const char* command;
  cmd::ExitCode exit;
  std::vector<std::string> says;    // in the answer
  std::vector<std::string> never;   // nowhere in it
  std::vector<std::string> doctor;  // in what doctor says
};

// Names in the files, and others to take in their place.
using Names = std::vector<std::pair<std::string_view, std::string_view>>;

void check_row(const Row& row, const Names& names);

}  // namespace dra::golden
