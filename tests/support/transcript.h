// tests/support/transcript.h
//
// A golden: one command line and all that a user sees of it.
//
//   # What the scene proves, in one or more lines.
//   # width: 80                   (optional: another width, or clock with `# now:
//   2026-11-20T10:00:00Z`) $ kubectl dra pools --snapshot tests/fixtures/x.yaml
//   --- stdout
//   ...
//   --- stderr
//   ...
//   --- exit 0
//
// The command line is split at spaces, with '...' and "..." as a shell would; there is no shell. A
// stream that does not end with a line break is shown with `\ no line break at the end` below it.

#pragma once

#include <string>
#include <vector>

#include "cmd/command.h"

namespace dra::support {

class Transcript {
 public:
  // A test fails if the file is not a transcript.
  static Transcript load(const std::string& path);
  static Transcript parse(std::string path, const std::string& text);

  const std::string& path() const { return path_; }
  const std::string& text() const { return text_; }
  // The words after `kubectl dra`.
  const std::vector<std::string>& args() const { return args_; }
  // Of `# NAME: VALUE` among the first lines; empty if it is not there.
  std::string directive(const std::string& name) const;

  // The same scene with another outcome.
  Transcript with(const std::string& out, const std::string& err, dra::cmd::ExitCode exit) const;
  void save() const;

 private:
  std::string path_;
  std::string text_;
  std::string head_;  // comment and command line
  std::vector<std::string> args_;
};

// All transcripts below tests/DIRECTORY.
std::vector<Transcript> transcripts_in(const std::string& directory);

bool updating_goldens();

}  // namespace dra::support
