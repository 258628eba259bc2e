// cmd/mcp/child.cpp: fork(), pipes and signals.

#include "cmd/mcp/child.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <initializer_list>
#include <system_error>
#include <utility>

#include "cmd/cli.h"
#include "dra/base/text.h"

namespace dra::cmd {
namespace {

Error no_process(int code) {
  return {ErrorKind::Io, "cannot start a process: " + std::generic_category().message(code), {}};
}

// The text as a file without a name, from its start.
int file_of(const std::string& text) {
  std::FILE* file = std::tmpfile();
  if (file == nullptr) return -1;
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size() &&
                       std::fflush(file) == 0 && std::fseek(file, 0, SEEK_SET) == 0;
  const int copy = written ? ::dup(::fileno(file)) : -1;
  static_cast<void>(std::fclose(file));
  return copy;
}

// The words run in the new process, with its standard streams.
[[noreturn]] void run_child(const std::vector<std::string>& words, const Console& console) {
  std::signal(SIGTERM, SIG_DFL);
  console.streams.out.clear();
  console.streams.err.clear();
  Console own = console;
  own.terminal = false;
  own.error_terminal = false;
  own.environment.interactive = false;  // there is no terminal to ask on
  if (own.environment.clock) own.now = own.environment.clock();
  const ExitCode code = run_cli(words, own);
  console.streams.out.flush();
  console.streams.err.flush();
  ::_exit(static_cast<int>(code));
}

void close_all(std::initializer_list<int> descriptors) {
  for (const int descriptor : descriptors) {
    if (descriptor >= 0) ::close(descriptor);
  }
}

}  // namespace

Result<Child> Child::start(const std::vector<std::string>& words,
                           const std::optional<std::string>& input, const Console& console) {
  std::array<int, 2> output{-1, -1};
  std::array<int, 2> errors{-1, -1};
  const int source = input ? file_of(*input) : ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (source < 0 || ::pipe(output.data()) != 0 || ::pipe(errors.data()) != 0) {
    const int code = errno;
    close_all({source, output[0], output[1], errors[0], errors[1]});
    return no_process(code);
  }
  console.streams.out.flush();
  console.streams.err.flush();
  const pid_t process = ::fork();
  if (process == 0) {
    ::dup2(source, STDIN_FILENO);
    ::dup2(output[1], STDOUT_FILENO);
    ::dup2(errors[1], STDERR_FILENO);
    close_all({source, output[0], output[1], errors[0], errors[1]});
    run_child(words, console);
  }
  const int code = errno;
  close_all({source, output[1], errors[1]});
  if (process < 0) {
    close_all({output[0], errors[0]});
    return no_process(code);
  }
  for (const int descriptor : {output[0], errors[0]})
    static_cast<void>(::fcntl(descriptor, F_SETFD, FD_CLOEXEC));
  return Child(process, output[0], errors[0]);
}

Child::Child(Child&& other) noexcept
    : process_(std::exchange(other.process_, -1)),
      output_(std::exchange(other.output_, -1)),
      errors_(std::exchange(other.errors_, -1)),
      printed_(std::move(other.printed_)),
      complained_(std::move(other.complained_)),
      too_much_(other.too_much_) {}

Child::~Child() {
  close_all({output_, errors_});
  if (process_ < 0) return;
  stop();
  finish();
}

void Child::stop() const { ::kill(process_, SIGKILL); }  // it writes no file

void Child::read(int descriptor, std::size_t most) {
  std::string& text = descriptor == output_ ? printed_ : complained_;
  std::array<char, 65536> buffer{};
  const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (got <= 0) {
    ::close(std::exchange(descriptor == output_ ? output_ : errors_, -1));
    return;
  }
  text.append(buffer.data(), static_cast<std::size_t>(got));
  if (text.size() <= most) return;
  too_much_ = true;
  stop();
  close_all({std::exchange(output_, -1), std::exchange(errors_, -1)});
}

std::optional<int> Child::finish() {
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  if (!WIFEXITED(status)) return std::nullopt;
  return WEXITSTATUS(status);
}

}  // namespace dra::cmd
