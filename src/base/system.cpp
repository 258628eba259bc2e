// src/base/system.cpp: see system.h. The only file with calls that Linux alone has.

#include "dra/base/system.h"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>

#ifdef __linux__
#include <linux/close_range.h>
#include <sys/prctl.h>
#else
#include <sys/resource.h>
#endif

namespace dra::base {
namespace {

bool mark_to_close(int number) {
  const int flags = ::fcntl(number, F_GETFD);
  return flags >= 0 && ::fcntl(number, F_SETFD, flags | FD_CLOEXEC) == 0;
}

}  // namespace

bool make_pipe(std::array<int, 2>& ends) {
#ifdef __linux__
  return ::pipe2(ends.data(), O_CLOEXEC) == 0;
#else
  return ::pipe(ends.data()) == 0 && mark_to_close(ends[0]) && mark_to_close(ends[1]);
#endif
}

void close_on_exec_from(int first) {
#ifdef __linux__
  if (::close_range(static_cast<unsigned>(first), ~0U, CLOSE_RANGE_CLOEXEC) == 0) return;
#endif
  constexpr int most = 1024;
  for (int number = first; number < most; ++number)
    mark_to_close(number);
}

void end_with_parent() {
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
}

void forbid_core_dumps() {
#ifdef __linux__
  ::prctl(PR_SET_DUMPABLE, 0);
#else
  const rlimit none{};
  ::setrlimit(RLIMIT_CORE, &none);
#endif
}

}  // namespace dra::base
