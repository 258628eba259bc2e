// tests/style/files_test.cpp: what holds for every source file.

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/files.h"

namespace dra::files_test {
namespace {

std::vector<std::string> program_files() {
  std::vector<std::string> files;
  for (const char* root : {"cmd", "include", "src"}) {
    for (const char* ending : {".h", ".cpp"}) {
      for (std::string& file : support::files_below(root, ending))
        files.push_back(std::move(file));
    }
  }
  return files;
}

std::vector<std::string> test_files() {
  std::vector<std::string> files;
  for (const char* ending : {".h", ".cpp"}) {
    for (std::string& file : support::files_below("tests", ending))
      files.push_back(std::move(file));
  }
  return files;
}

void check_length(const std::vector<std::string>& files, std::ptrdiff_t most) {
  for (const std::string& file : files) {
    const std::string text = support::read(file);
    CHECK_MESSAGE(std::count(text.begin(), text.end(), '\n') <= most, file);
  }
}

TEST_CASE("a file is about one thing") {
  check_length(program_files(), 500);  // tables of data are .inc and .def files
  check_length(test_files(), 800);
}

TEST_CASE("a file begins with what it is about") {
  for (const std::vector<std::string>& files : {program_files(), test_files()}) {
    for (const std::string& file : files) {
      CHECK_MESSAGE(support::read(file).starts_with("// "), file);
    }
  }
}

// Everything else that reaches a terminal is text of a cluster, a file or a user.
TEST_CASE("escape sequences are made in one place") {
  const std::vector<std::string> allowed = {"src/base/printable.cpp", "src/render/lines.cpp",
                                            "src/render/redraw.cpp"};
  for (const std::string& file : program_files()) {
    if (std::find(allowed.begin(), allowed.end(), file) != allowed.end()) continue;
    const std::string text = support::read(file);
    for (const char* escape : {"\\x1b", "\\x1B", "\\033", "\\e["}) {
      CHECK_MESSAGE(text.find(escape) == std::string::npos, file);
    }
  }
}

TEST_CASE("only cmd knows the streams of the process") {
  for (const std::string& file : program_files()) {
    if (file == "cmd/process.cpp") continue;
    const std::string text = support::read(file);
    for (const char* stream : {"std::cout", "std::cerr", "std::cin", "getenv("}) {
      CHECK_MESSAGE(text.find(stream) == std::string::npos, file, ": ", stream);
    }
  }
}

TEST_CASE("what Linux alone has is called in one file") {
  for (const std::string& file : program_files()) {
    if (file == "src/base/system.cpp") continue;
    const std::string text = support::read(file);
    for (const char* name : {"<linux/", "<sys/prctl.h>", "<sys/epoll.h>", "<sys/eventfd.h>",
                             "<sys/signalfd.h>", "<malloc.h>", "pipe2(", "close_range(", "accept4(",
                             "\"/proc/self/exe", "secure_getenv("}) {
      CHECK_MESSAGE(text.find(name) == std::string::npos, file, ": ", name);
    }
  }
}

}  // namespace
}  // namespace dra::files_test
