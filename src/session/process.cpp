// src/session/process.cpp: posix_spawn() with a pipe for standard output.

#include "src/session/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>

#include "dra/base/files.h"
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
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
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

class SpawnSettings {
 public:
  SpawnSettings() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    // We ignore SIGPIPE (cmd/process.cpp), and the program would inherit that.
    sigset_t signals;
    ::sigemptyset(&signals);
    ::sigaddset(&signals, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};
};

// 0, or the number of the error.
int start(const Program& program, int output, pid_t& child) {
  SpawnSettings settings;
  if (!program.share_input) {
    posix_spawn_file_actions_addopen(&settings.actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  }
  posix_spawn_file_actions_adddup2(&settings.actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_addclosefrom_np(&settings.actions, kFirstDescriptor);
  const std::vector<char*> arguments = pointers_to(program.arguments);
  const std::vector<char*> environment = pointers_to(program.environment);
  return ::posix_spawn(&child, program.path.c_str(), &settings.actions, &settings.attributes,
                       arguments.data(), environment.data());
}

// False if there is more than the program may print.
bool read_output(int descriptor, std::size_t limit, std::string& output) {
  std::array<char, 4096> buffer{};
  while (true) {
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return true;
    if (output.size() + static_cast<std::size_t>(count) > limit) return false;
    output.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

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
  Pipe pipe;
  if (!pipe.ok()) return cannot_run(program.path, errno);
  pid_t child = -1;
  const int code = start(program, pipe.writer(), child);
  if (code != 0) return cannot_run(program.path, code);
  pipe.close_writer();
  Outcome outcome;
  outcome.too_long = !read_output(pipe.reader(), program.max_output, outcome.output);
  if (outcome.too_long) {
    ::kill(child, SIGKILL);
    outcome.output.clear();
  }
  const int status = wait_for(child);
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  return outcome;
}

}  // namespace dra::session
