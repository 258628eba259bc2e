// tests/cmd/commands/validate_test.cpp: what validate does with files. What it says is in
// tests/golden/validate.

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <string>

#include "cmd/cli.h"
#include "tests/support/fake_console.h"
#include "tests/support/files.h"
#include "tests/support/temp_dir.h"

namespace dra::cmd::validate_test {
namespace {

using support::FakeConsole;
using support::TempDir;

const std::string kOld =
    "apiVersion: resource.k8s.io/v1beta1\n"
    "kind: ResourceClaim\n"
    "metadata: {name: a}\n"
    "spec:\n"
    "  devices:\n"
    "    requests:\n"
    "    - name: gpu # the only one\n"
    "      deviceClassName: c\n";
const std::string kNew =
    "apiVersion: resource.k8s.io/v1\n"
    "kind: ResourceClaim\n"
    "metadata: {name: a}\n"
    "spec:\n"
    "  devices:\n"
    "    requests:\n"
    "    - name: gpu # the only one\n"
    "      exactly:\n"
    "        deviceClassName: c\n";

TEST_CASE("--fix shows what it changes, and changes it") {
  const TempDir dir;
  const std::string file = dir.write("claim.yaml", kOld);
  ::chmod(file.c_str(), 0640);
  FakeConsole console;
  CHECK(run_cli({"validate", "--fix", "-f", file}, console.streams()) == ExitCode::Done);
  CHECK(support::read(file) == kNew);
  CHECK(console.out().find("-apiVersion: resource.k8s.io/v1beta1\n") != std::string::npos);
  CHECK(console.out().find("+      exactly:\n") != std::string::npos);
  CHECK(console.out().find("1 object in 1 file: nothing found.") != std::string::npos);
  struct stat info = {};
  REQUIRE(::stat(file.c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0640);

  FakeConsole again;
  CHECK(run_cli({"validate", "--fix", "-f", file}, again.streams()) == ExitCode::Done);
  CHECK(again.out() == "1 object in 1 file: nothing found.\n");
}

TEST_CASE("--fix leaves what cannot be read as it is") {
  const TempDir dir;
  const std::string file = dir.write("claim.yaml", "a: [\n");
  FakeConsole console;
  CHECK(run_cli({"validate", "--fix", "-f", file}, console.streams()) == ExitCode::Found);
  CHECK(support::read(file) == "a: [\n");
}

TEST_CASE("--fix changes files only") {
  FakeConsole console({.input = kOld});
  CHECK(run_cli({"validate", "--fix", "-f", "-"}, console.streams()) == ExitCode::Failed);
  CHECK(console.err().find("--fix changes files") != std::string::npos);
}

TEST_CASE("directories, and those below them") {
  const TempDir dir;
  dir.write("a.yaml", kNew);
  dir.write("notes.txt", "no manifest");
  dir.write("below/b.yml", kNew);
  FakeConsole flat;
  CHECK(run_cli({"validate", "-f", dir.path()}, flat.streams()) == ExitCode::Done);
  CHECK(flat.out() == "1 object in 1 file: nothing found.\n");
  FakeConsole deep;
  CHECK(run_cli({"validate", "-R", "-f", dir.path()}, deep.streams()) == ExitCode::Done);
  CHECK(deep.out() == "2 objects in 2 files: nothing found.\n");
}

TEST_CASE("standard input") {
  FakeConsole console({.input = kOld});
  CHECK(run_cli({"validate", "-f", "-", "--severity", "error"}, console.streams()) ==
        ExitCode::Done);
  FakeConsole converted({.input = kOld});
  CHECK(run_cli({"convert", "-f", "-"}, converted.streams()) == ExitCode::Done);
  CHECK(converted.out() == kNew);
}

TEST_CASE("standard input is read for one -f only, as kubectl does") {
  FakeConsole console({.input = kNew});
  CHECK(run_cli({"validate", "-f", "-", "-f", "-"}, console.streams()) == ExitCode::Failed);
  CHECK(console.out().empty());
  CHECK(console.err() ==
        "error: standard input cannot be used for multiple arguments\n"
        "hint: name it once; `---` separates the manifests in it\n");
}

}  // namespace
}  // namespace dra::cmd::validate_test
