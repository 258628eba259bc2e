// src/session/process.cpp: fork() and exec() with pipes for what the program prints.

#include "src/session/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <system_error>
#include <utility>

#include "dra/base/files.h"
#include "dra/base/system.h"
#include "dra/base/text.h"

namespace dra::session {
namespace {

// The first one above the standard descriptors. These may be closed, and a new descriptor must not
// take their place.
constexpr int kFirstDescriptor = 3;

Error cannot_run(std::string_view name, int code) {
  const bool absent = code == ENOENT || code == ENOTDIR;
  return {absent ? ErrorKind::NotFound : ErrorKind::Io,
          base::format("cannot run {}: {}", name, std::generic_category().message(code)),
          {}};
}

// 0, or the errno that says why the file cannot be executed.
int why_not_executable(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return errno;
  if (S_ISDIR(info.st_mode)) return EISDIR;
  return ::faccessat(AT_FDCWD, path.c_str(), X_OK, AT_EACCESS) == 0 ? 0 : errno;
}

class Pipe {
 public:
  Pipe() {
    std::array<int, 2> ends{};
    if (!base::make_pipe(ends)) return;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      ends_[i] = ::fcntl(ends[i], F_DUPFD_CLOEXEC, kFirstDescriptor);
      ::close(ends[i]);
    }
  }
  ~Pipe() {
    close(0);
    close(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  bool ok() const { return ends_[0] >= 0 && ends_[1] >= 0; }
  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  void close_writer() { close(1); }

 private:
  void close(std::size_t end) {
    const int number = std::exchange(ends_[end], -1);
    if (number >= 0) ::close(number);
  }

  std::array<int, 2> ends_ = {-1, -1};
};

// The C interface wants writable pointers, but does not write.
std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (const std::string& text : texts)
    pointers.push_back(const_cast<char*>(text.c_str()));  // NOLINT
  pointers.push_back(nullptr);
  return pointers;
}

// The pipes between us and a program. The last one reports why it could not be started.
struct Pipes {
  Pipe output;
  Pipe errors;
  Pipe failure;
  bool ok() const { return output.ok() && errors.ok() && failure.ok(); }
};

// Becomes the program. Called in the child, where only functions that are safe in a signal handler
// may be called.
[[noreturn]] void become(const Program& program, const Pipes& pipes, char* const* arguments,
                         char* const* environment, pid_t parent) {
  // It ends with us, however we end: its answer would not be read.
  base::end_with_parent();
  bool ready = ::getppid() == parent;
  // We ignore some signals (cmd/process.cpp), and the program would inherit that.
  std::signal(SIGPIPE, SIG_DFL);
  std::signal(SIGXFSZ, SIG_DFL);
  if (!program.share_input) {
    const int empty = ::open("/dev/null", O_RDONLY);
    ready = ready && empty >= 0 && ::dup2(empty, STDIN_FILENO) >= 0;
  }
  ready = ready && ::dup2(pipes.output.writer(), STDOUT_FILENO) >= 0 &&
          ::dup2(pipes.errors.writer(), STDERR_FILENO) >= 0;
  if (ready) {
    base::close_on_exec_from(kFirstDescriptor);
    ::execve(program.path.c_str(), arguments, environment);
  }
  const int code = errno;
  static_cast<void>(!::write(pipes.failure.writer(), &code, sizeof code));
  ::_exit(127);
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

// 0, or the number of the error.
int start(const Program& program, Pipes& pipes, pid_t& child) {
  const std::vector<char*> arguments = pointers_to(program.arguments);
  const std::vector<char*> environment = pointers_to(program.environment);
  const pid_t parent = ::getpid();
  child = ::fork();
  if (child < 0) return errno;
  if (child == 0) become(program, pipes, arguments.data(), environment.data(), parent);
  pipes.output.close_writer();
  pipes.errors.close_writer();
  pipes.failure.close_writer();
  int code = 0;
  ssize_t count = 0;
  while ((count = ::read(pipes.failure.reader(), &code, sizeof code)) < 0 && errno == EINTR) {
  }
  if (count != sizeof code) return 0;
  wait_for(child);
  return code;
}

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// Reads what a program prints until it has ended.
class Watch {
 public:
  Watch(const Program& program, pid_t child, const Pipes& pipes)
      : program_(program),
        child_(child),
        fds_{{{pipes.output.reader(), POLLIN, 0}, {pipes.errors.reader(), POLLIN, 0}}},
        end_(Clock::now() + milliseconds(program.within.nanos / 1'000'000)) {}

  Outcome run() {
    while (!ended_ || has_pipe()) {
      if (Clock::now() >= end_) {
        outcome_.timed_out = !ended_;
        break;
      }
      if (!step()) break;
    }
    if (!ended_) stop();
    write_errors(true);
    if (outcome_.too_long || outcome_.timed_out) outcome_.output.clear();
    if (WIFEXITED(status_)) outcome_.exit_code = WEXITSTATUS(status_);
    if (WIFSIGNALED(status_)) outcome_.signal = WTERMSIG(status_);
    return std::move(outcome_);
  }

 private:
  bool has_pipe() const { return fds_[0].fd >= 0 || fds_[1].fd >= 0; }

  // False: there is nothing more to wait for.
  bool step() {
    const milliseconds most = ended_ ? kAfterEnd : has_pipe() ? kPoll : milliseconds(1);
    const int ready = ::poll(fds_.data(), fds_.size(), static_cast<int>(most.count()));
    if (ready == 0) write_errors(true);
    if (ready == 0 && ended_) return false;  // a program that it started holds the pipe
    for (pollfd& fd : fds_) {
      if (ready > 0 && fd.revents != 0 && !read_from(fd)) return false;
    }
    if (!ended_ && ::waitpid(child_, &status_, WNOHANG) == child_) {
      ended_ = true;
      end_ = std::min(end_, Clock::now() + kMostAfterEnd);
    }
    return true;
  }

  // False if there is more than the program may print.
  bool read_from(pollfd& fd) {
    std::array<char, 4096> buffer{};
    const ssize_t count = ::read(fd.fd, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) return true;
    const std::string_view text(buffer.data(),
                                static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    const bool is_output = &fd == fds_.data();
    if (text.empty()) fd.fd = -1;  // poll() passes over it
    if (!is_output) {
      errors_ += text;
      write_errors(false);
      return true;
    }
    outcome_.too_long = outcome_.output.size() + text.size() > program_.max_output;
    if (!outcome_.too_long) outcome_.output += text;
    return !outcome_.too_long;
  }

  // Passes lines on; the start of a line only when nothing follows it for now, as it may be a
  // question.
  void write_errors(bool all) {
    std::size_t end = 0;
    while ((end = errors_.find('\n')) != std::string::npos || (all && !errors_.empty())) {
      const std::string line = errors_.substr(0, end);
      errors_.erase(0, end == std::string::npos ? end : end + 1);
      written_ += line.size() + 1;
      if (written_ <= program_.max_output && program_.on_error_line) program_.on_error_line(line);
    }
    if (errors_.size() > program_.max_output) errors_.clear();
  }

  void stop() {
    ::kill(child_, SIGTERM);
    const auto most = Clock::now() + kMostAfterEnd;
    while (::waitpid(child_, &status_, WNOHANG) == 0) {
      if (Clock::now() >= most) ::kill(child_, SIGKILL);
      ::poll(nullptr, 0, 10);
    }
  }

  static constexpr milliseconds kPoll{50};
  static constexpr milliseconds kAfterEnd{200};
  static constexpr milliseconds kMostAfterEnd{1000};

  const Program& program_;
  pid_t child_;
  std::array<pollfd, 2> fds_;  // standard output and error
  Clock::time_point end_;
  Outcome outcome_;
  std::string errors_;
  std::size_t written_ = 0;
  bool ended_ = false;
  int status_ = 0;
};

}  // namespace

Result<std::string> find_program(const std::string& name, std::string_view search_path) {
  if (name.find('/') != std::string::npos) {
    const int code = why_not_executable(name);
    if (code != 0) return cannot_run(name, code);
    return name;
  }
  if (!name.empty() && !search_path.empty()) {
    for (const std::string_view directory : base::split(search_path, ':')) {
      const std::string path =
          base::clean_path(base::join_path(directory.empty() ? "." : directory, name));
      if (why_not_executable(path) != 0) continue;
      if (path.starts_with('/')) return path;
      return Error{ErrorKind::Io,
                   base::format("cannot run {}: it is found as {}, through a directory of PATH "
                                "that is not absolute",
                                name, path),
                   "write absolute directories into PATH"};
    }
  }
  return Error{ErrorKind::NotFound,
               base::format("cannot run {}: there is no such program in PATH", name),
               {}};
}

Result<Outcome> run_program(const Program& program) {
  Pipes pipes;
  if (!pipes.ok()) return cannot_run(program.path, errno);
  pid_t child = -1;
  const int code = start(program, pipes, child);
  if (code != 0) return cannot_run(program.path, code);
  return Watch(program, child, pipes).run();
}

}  // namespace dra::session
