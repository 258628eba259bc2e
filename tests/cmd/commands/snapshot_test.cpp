// tests/cmd/commands/snapshot_test.cpp: the file that a recording is written to.

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "cmd/cli.h"
#include "dra/base/files.h"
#include "tests/support/fake_console.h"
#include "tests/support/temp_dir.h"

namespace dra::cmd::snapshot_test {
namespace {

using support::TempDir;
using Words = std::vector<std::string>;

struct Run {
  ExitCode exit;
  std::string out;
  std::string err;

  explicit Run(Words words) {
    words.insert(words.begin(), "snapshot");
    words.emplace_back("--demo=gpu");
    const support::FakeConsole console;
    exit = run_cli(words, console.streams());
    out = console.out();
    err = console.err();
  }
};

std::string read(const std::string& path) {
  const auto text = base::read_input(path);
  return text.ok() ? text.value() : "none";
}

std::size_t files_in(const TempDir& dir) { return base::list_directory(dir.path()).value().size(); }

// Files of this process may have so many bytes, and more is an error.
class FileLimit {
 public:
  explicit FileLimit(rlim_t bytes) : before_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &limit_);
    const rlimit smaller{bytes, limit_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &smaller);
  }
  ~FileLimit() {
    ::setrlimit(RLIMIT_FSIZE, &limit_);
    std::signal(SIGXFSZ, before_);
  }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;

 private:
  rlimit limit_ = {};
  void (*before_)(int);
};

TEST_CASE("a file has what standard output has, for its owner alone") {
  const TempDir dir;
  const std::string file = dir.path() + "/cluster.json";
  const Run written({file});
  CHECK(written.exit == ExitCode::Done);
  CHECK(written.out.empty());
  CHECK(written.err.empty());
  CHECK(read(file) == Run({}).out);
  CHECK(read(file) == Run({"-"}).out);
  CHECK(base::mode_of(file).value() == base::kPrivate);
  CHECK(files_in(dir) == 1);
}

TEST_CASE("--output is the format, in a file as well, and each is read again") {
  for (const std::string format : {"json", "kyaml", "yaml"}) {
    CAPTURE(format);
    const TempDir dir;
    const std::string file = dir.path() + "/cluster";
    REQUIRE(Run({file, "-o", format}).exit == ExitCode::Done);
    CHECK(read(file) == Run({"-o", format}).out);
    const support::FakeConsole console;
    CHECK(run_cli({"devices", "-o", "name", "--snapshot", file}, console.streams()) ==
          ExitCode::Done);
    CHECK(console.out().find("gpu-0") != std::string::npos);
  }
}

TEST_CASE("a file that is there is replaced as a whole") {
  const TempDir dir;
  const std::string file = dir.write("cluster.json", std::string(1 << 20, 'x'));
  CHECK(Run({file}).exit == ExitCode::Done);
  CHECK(read(file) == Run({}).out);
  CHECK(files_in(dir) == 1);
}

TEST_CASE("where nothing can be written there is one error, and nothing is left") {
  const TempDir dir;
  dir.write("file", "old");
  struct Case {
    Words words;
    std::string says;
  };
  const std::vector<Case> cases = {
      {{dir.path()}, "Is a directory"},
      {{dir.path() + "/"}, "Is a directory"},
      {{dir.path() + "/none/cluster.json"}, "No such file or directory"},
      {{dir.path() + "/file/cluster.json"}, "Not a directory"},
      {{"/dev/full"}, "No space left on device"},
      {{""}, "No such file or directory"},
      {{"-o", dir.path() + "/cluster.json"}, "json, kyaml or yaml"},
      {{dir.path() + "/a", dir.path() + "/b"}, "does not accept a further argument"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.words.back());
    const Run run(c.words);
    CHECK(run.exit == ExitCode::Failed);
    CHECK(run.out.empty());
    CHECK(run.err.starts_with("error: "));
    CHECK(run.err.find(c.says) != std::string::npos);
  }
  CHECK(read(dir.path() + "/file") == "old");
  CHECK(files_in(dir) == 1);
}

TEST_CASE("a file that does not fit leaves the old one as it was") {
  const TempDir dir;
  const std::string file = dir.write("cluster.json", "old");
  const std::string other = dir.path() + "/other.json";
  {
    const FileLimit limit(4096);
    for (const std::string& path : {file, other}) {
      const Run run({path});
      CHECK(run.exit == ExitCode::Failed);
      CHECK(run.err.find("File too large") != std::string::npos);
    }
  }
  CHECK(read(file) == "old");
  CHECK(files_in(dir) == 1);
}

}  // namespace
}  // namespace dra::cmd::snapshot_test
