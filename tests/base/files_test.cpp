// tests/base/files_test.cpp

#include "dra/base/files.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "dra/base/text.h"

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

TEST_CASE("only regular files are read, and nothing is waited for") {
  const Scratch scratch;
  REQUIRE(::mkfifo(scratch.file("pipe").c_str(), 0600) == 0);
  REQUIRE(::symlink(scratch.file("pipe").c_str(), scratch.file("link").c_str()) == 0);
  for (const std::string& path : {scratch.file("pipe"), scratch.file("link")}) {
    const std::string want = format("cannot read {}: it is a named pipe, not a regular file", path);
    CHECK(read_file(path).error().message == want);
    CHECK(read_input(path).error().message == want);
  }
  CHECK(read_file("/dev/zero").error().message ==
        "cannot read /dev/zero: it is a device, not a regular file");
}

TEST_CASE("descriptors of ours are read where the user names them") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  REQUIRE(::write(ends[1], "hello", 5) == 5);
  ::close(ends[1]);
  const std::string path = format("/dev/fd/{}", ends[0]);
  CHECK(read_file(path).error().message.ends_with("it is a named pipe, not a regular file"));
  CHECK(read_input(path).value() == "hello");
  ::close(ends[0]);
}

TEST_CASE("what is no text, or too long, is not read") {
  const Scratch scratch;
  REQUIRE(write_file_atomic(scratch.file("a"), std::string("ab\0c", 4), 0600).ok());
  CHECK(read_input(scratch.file("a")).error().message ==
        format("cannot read {}: byte 3 is zero, so it is not text", scratch.file("a")));
  REQUIRE(::truncate(scratch.file("a").c_str(), off_t{1} << 40U) == 0);  // nearly all of it a hole
  CHECK(read_file(scratch.file("a")).error().message.ends_with("longer than 1073741824 bytes"));
}

TEST_CASE("output follows links, and keeps what a file is") {
  const Scratch scratch;
  REQUIRE(write_output(scratch.file("target"), "old", 0640).ok());
  REQUIRE(::symlink("target", scratch.file("link").c_str()) == 0);
  REQUIRE(write_output(scratch.file("link"), "new", 0640).ok());
  CHECK(read_file(scratch.file("target")).value() == "new");
  CHECK(is_link(scratch.file("link")));
  CHECK(mode_of(scratch.file("target")) == 0640);
  REQUIRE(::symlink("later", scratch.file("dangling").c_str()) == 0);
  REQUIRE(write_output(scratch.file("dangling"), "made", 0600).ok());
  CHECK(read_file(scratch.file("later")).value() == "made");
  CHECK(write_output(scratch.path(), "x", 0600).error().message.ends_with("Is a directory"));
  if (::geteuid() == 0) {
    REQUIRE(::chown(scratch.file("target").c_str(), 1234, 1234) == 0);
    REQUIRE(write_output(scratch.file("target"), "mine", 0600).ok());
    struct stat info {};
    REQUIRE(::stat(scratch.file("target").c_str(), &info) == 0);
    CHECK(info.st_uid == 1234);
  }
}

TEST_CASE("output goes into pipes and descriptors") {
  const Scratch scratch;
  REQUIRE(::mkfifo(scratch.file("pipe").c_str(), 0600) == 0);
  const int reader = ::open(scratch.file("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  REQUIRE(write_output(scratch.file("pipe"), "hello", 0600).ok());
  char bytes[5];
  CHECK(::read(reader, bytes, 5) == 5);
  ::close(reader);
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  REQUIRE(write_output(format("/dev/fd/{}", ends[1]), "there", 0600).ok());
  CHECK(::read(ends[0], bytes, 5) == 5);
  CHECK(std::string_view(bytes, 5) == "there");
  ::close(ends[0]);
  ::close(ends[1]);
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

TEST_CASE("a pattern stands for the paths that it matches") {
  const Scratch scratch;
  for (const char* directory : {"d", "e"})
    REQUIRE(::mkdir(scratch.file(directory).c_str(), 0700) == 0);
  for (const char* name : {"b.yaml", "a.yaml", ".c.yaml", "d/x", "e/x", "e/[y]", "notes"})
    REQUIRE(write_file_atomic(scratch.file(name), "", 0600).ok());
  struct Case {
    const char* pattern;
    std::vector<std::string> want;
  };
  const Case cases[] = {
      {"*.yaml", {".c.yaml", "a.yaml", "b.yaml"}},
      {"?.yaml", {"a.yaml", "b.yaml"}},
      {"[b-z].yaml", {"b.yaml"}},
      {"*/x", {"d/x", "e/x"}},
      {"e/[[]y]", {"e/[y]"}},
      {"e/\\[y\\]", {"e/[y]"}},
      {"d*/none", {}},
      {"none/*", {}},
      {"notes/*", {}},
      {"d", {"d"}},
  };
  for (const Case& one : cases) {
    CAPTURE(one.pattern);
    std::vector<std::string> want;
    for (const std::string& name : one.want)
      want.push_back(scratch.file(name));
    CHECK(paths_like(scratch.file(one.pattern)) == want);
  }
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
