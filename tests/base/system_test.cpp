// tests/base/system_test.cpp

#include "dra/base/system.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

namespace dra::base::system_test {
namespace {

bool closes_on_exec(int number) { return (::fcntl(number, F_GETFD) & FD_CLOEXEC) != 0; }

TEST_CASE("programs do not inherit a pipe of ours") {
  std::array<int, 2> ends{-1, -1};
  REQUIRE(make_pipe(ends));
  CHECK(closes_on_exec(ends[0]));
  CHECK(closes_on_exec(ends[1]));
  CHECK(::write(ends[1], "x", 1) == 1);
  char letter = 0;
  CHECK(::read(ends[0], &letter, 1) == 1);
  CHECK(letter == 'x');
  ::close(ends[0]);
  ::close(ends[1]);
}

// In a child, as it is about every descriptor that the process has.
TEST_CASE("descriptors from a number on are kept from programs, those below are not") {
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr int low = 50, high = 51;
    bool right = ::dup2(STDERR_FILENO, low) == low && ::dup2(STDERR_FILENO, high) == high;
    close_on_exec_from(high);
    right = right && !closes_on_exec(low) && closes_on_exec(high);
    ::_exit(right ? 0 : 1);
  }
  REQUIRE(child > 0);
  int status = -1;
  CHECK(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

}  // namespace
}  // namespace dra::base::system_test
