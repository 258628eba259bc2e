// tests/base/files_test.cpp

#include "dra/base/files.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace dra::base::files_test {
namespace {

// A directory of its own for each test, removed with what the test put into it.
class Scratch {
 public:
  Scratch() { REQUIRE(::mkdtemp(path_.data()) != nullptr); }
  ~Scratch() {
    const Result<std::vector<std::string>> names = list_directory(path_);
    if (names.ok()) {
      for (const std::string& name : names.value()) {
        if (::unlink(file(name).c_str()) != 0) ::rmdir(file(name).c_str());
      }
    }
    ::rmdir(path_.c_str());
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::string& path() const { return path_; }
  std::string file(std::string_view name) const { return join_path(path_, name); }

 private:
  std::string path_ = "/tmp/dra-files-test.XXXXXX";
};

mode_t mode_of(const std::string& path) {
  struct stat info {};
  REQUIRE(::stat(path.c_str(), &info) == 0);
  return info.st_mode & 07777U;
}

TEST_CASE("what is written is read") {
  const Scratch scratch;
  const std::string text("one\0two\n", 8);
  REQUIRE(write_file_atomic(scratch.file("a"), text, 0600).ok());
  CHECK(read_file(scratch.file("a")).value() == text);
  CHECK(mode_of(scratch.file("a")) == 0600);
  REQUIRE(write_file_atomic(scratch.file("a"), "", 0644).ok());
  CHECK(read_file(scratch.file("a")).value().empty());
  CHECK(mode_of(scratch.file("a")) == 0644);
  CHECK(list_directory(scratch.path()).value() == std::vector<std::string>{"a"});
}

TEST_CASE("a link is replaced and not written through") {
  const Scratch scratch;
  REQUIRE(write_file_atomic(scratch.file("target"), "old", 0600).ok());
  REQUIRE(::symlink(scratch.file("target").c_str(), scratch.file("link").c_str()) == 0);
  CHECK(read_file(scratch.file("link")).value() == "old");
  REQUIRE(write_file_atomic(scratch.file("link"), "new", 0600).ok());
  CHECK(read_file(scratch.file("target")).value() == "old");
  CHECK(read_file(scratch.file("link")).value() == "new");
}

TEST_CASE("a limit is exact") {
  const Scratch scratch;
  REQUIRE(write_file_atomic(scratch.file("a"), std::string(100'000, 'x'), 0600).ok());
  CHECK(read_file(scratch.file("a"), 100'000).ok());
  const Result<std::string> cut = read_file(scratch.file("a"), 99'999);
  REQUIRE_FALSE(cut.ok());
  CHECK(cut.error().kind == ErrorKind::Io);
  CHECK(cut.error().message == "cannot read " + scratch.file("a") + ": longer than 99999 bytes");
}

TEST_CASE("a pipe is read to its end") {
  int ends[2] = {-1, -1};
  REQUIRE(::pipe(ends) == 0);
  REQUIRE(::write(ends[1], "hello", 5) == 5);
  ::close(ends[1]);
  CHECK(read_descriptor(ends[0], "standard input").value() == "hello");
  ::close(ends[0]);
  CHECK(read_descriptor(ends[0], "standard input").error().message ==
        "cannot read standard input: Bad file descriptor");
}

TEST_CASE("errors say which path and why") {
  const Scratch scratch;
  const Result<std::string> missing = read_file(scratch.file("none"));
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.error().kind == ErrorKind::NotFound);
  CHECK(missing.error().message ==
        "cannot read " + scratch.file("none") + ": No such file or directory");
  const Result<std::string> directory = read_file(scratch.path());
  REQUIRE_FALSE(directory.ok());
  CHECK(directory.error().kind == ErrorKind::Io);
  CHECK(directory.error().message == "cannot read " + scratch.path() + ": Is a directory");
  CHECK(write_file_atomic(scratch.file("none/a"), "x", 0600).error().kind == ErrorKind::NotFound);
  CHECK(list_directory(scratch.file("none")).error().kind == ErrorKind::NotFound);
}

TEST_CASE("a write that fails leaves nothing behind") {
  const Scratch scratch;
  REQUIRE(::mkdir(scratch.file("d").c_str(), 0700) == 0);
  CHECK_FALSE(write_file_atomic(scratch.file("d"), "x", 0600).ok());
  CHECK(list_directory(scratch.path()).value() == std::vector<std::string>{"d"});
}

TEST_CASE("a file without permission is refused") {
  if (::geteuid() == 0) return;  // root may read everything
  const Scratch scratch;
  REQUIRE(write_file_atomic(scratch.file("a"), "secret", 0000).ok());
  CHECK(read_file(scratch.file("a")).error().message ==
        "cannot read " + scratch.file("a") + ": Permission denied");
}

TEST_CASE("what exists and what is a directory") {
  const Scratch scratch;
  REQUIRE(write_file_atomic(scratch.file("a"), "x", 0600).ok());
  CHECK(exists(scratch.file("a")));
  CHECK_FALSE(exists(scratch.file("b")));
  CHECK_FALSE(is_directory(scratch.file("a")));
  CHECK(is_directory(scratch.path()));
}

TEST_CASE("names in a directory are sorted") {
  const Scratch scratch;
  for (const char* name : {"b", "a", ".c", "B"}) {
    REQUIRE(write_file_atomic(scratch.file(name), "", 0600).ok());
  }
  CHECK(list_directory(scratch.path()).value() == std::vector<std::string>{".c", "B", "a", "b"});
}

struct PathCase {
  const char* name;
  std::string got;
  const char* want;
};

TEST_CASE("paths") {
  const PathCase cases[] = {
      {"the directory of a file", directory_of("a/b/c"), "a/b"},
      {"a name alone is in the current directory", directory_of("c"), "."},
      {"a file in the root", directory_of("/c"), "/"},
      {"the root itself", directory_of("/"), "/"},
      {"doubled slashes are one", directory_of("a//c"), "a"},
      {"a name is joined to its directory", join_path("/etc", "ca.crt"), "/etc/ca.crt"},
      {"a slash is not doubled", join_path("/etc/", "ca.crt"), "/etc/ca.crt"},
      {"an absolute path stays", join_path("/etc", "/ca.crt"), "/ca.crt"},
      {"no directory adds nothing", join_path("", "ca.crt"), "ca.crt"},
      {"no name is the directory", join_path("/etc", ""), "/etc"},
      {"a clean path has no empty and no dot parts", clean_path("a//b/./c/../d/"), "a/b/d"},
      {"nothing is the directory itself", clean_path(""), "."},
      {"above the root is the root", clean_path("/../a"), "/a"},
      {"the root stays", clean_path("//"), "/"},
      {"what leads out of a directory stays", clean_path("../a/../../b"), "../../b"},
      {"a path that goes in and out is the directory", clean_path("a/.."), "."},
      {"~ is home", expand_home("~", "/home/a"), "/home/a"},
      {"~/ is below home", expand_home("~/.kube/config", "/home/a"), "/home/a/.kube/config"},
      {"~/ alone is home", expand_home("~/", "/home/a"), "/home/a"},
      {"doubled slashes after ~ do not lead to the root", expand_home("~//etc", "/home/a"),
       "/home/a/etc"},
      {"the home of another user is not ours to know", expand_home("~b/x", "/home/a"), "~b/x"},
      {"~ elsewhere is a name", expand_home("a/~", "/home/a"), "a/~"},
      {"without a home ~ stays", expand_home("~/x", ""), "~/x"},
  };
  for (const PathCase& c : cases) {
    CAPTURE(c.name);
    CHECK(c.got == c.want);
  }
}

}  // namespace
}  // namespace dra::base::files_test
