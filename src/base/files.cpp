// src/base/files.cpp: POSIX calls with errors in words. Interrupted calls are repeated.

#include "dra/base/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "dra/base/text.h"

namespace dra::base {

namespace {

// Closes its descriptor. An error of close matters to writers alone, and they call close()
// themselves.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }
  bool close() {
    const int number = std::exchange(number_, -1);
    return number < 0 || ::close(number) == 0;
  }

 private:
  int number_;
};

Error system_error(std::string_view what, std::string_view name, int code) {
  const ErrorKind kind = code == ENOENT || code == ENOTDIR ? ErrorKind::NotFound : ErrorKind::Io;
  return {kind, format("cannot {} {}: {}", what, name, std::generic_category().message(code)), {}};
}

// write() may take less than it is given, and may be interrupted. False: the reason is in errno.
bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

Error too_long(std::string_view name, std::size_t limit) {
  return {ErrorKind::Io, format("cannot read {}: longer than {} bytes", name, limit), {}};
}

enum class Content { Bytes, Text };

// What is no text is given up at once: a device or the hole of a sparse file is endless zeros.
Result<std::string> read_all(int descriptor, std::string_view name, std::size_t limit,
                             Content content) {
  std::string text;
  struct stat info {};
  if (::fstat(descriptor, &info) == 0) {
    if (S_ISDIR(info.st_mode)) return system_error("read", name, EISDIR);
    // The size is only a hint: files in /proc say 0, and a file may grow while it is read.
    const auto size = static_cast<std::size_t>(std::max<off_t>(info.st_size, 0));
    if (S_ISREG(info.st_mode) && size > limit) return too_long(name, limit);
    if (S_ISREG(info.st_mode)) text.reserve(size);
  }
  std::array<char, 65'536> buffer{};
  while (true) {
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error("read", name, errno);
    if (count == 0) return text;
    const auto size = static_cast<std::size_t>(count);
    if (size > limit - text.size()) return too_long(name, limit);
    const std::string_view part(buffer.data(), size);
    const std::size_t zero = content == Content::Text ? part.find('\0') : std::string_view::npos;
    if (zero != std::string_view::npos) {
      return Error{ErrorKind::Io,
                   format("cannot read {}: byte {} is zero, so it is not text", name,
                          text.size() + zero + 1),
                   "text must be UTF-8"};
    }
    text.append(part);
  }
}

std::string_view type_name(mode_t mode) {
  if (S_ISFIFO(mode)) return "a named pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return S_ISDIR(mode) ? "a directory" : "a device";
}

Result<std::string> read_regular(const std::string& path, std::size_t limit, Content content) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return system_error("read", path, errno);
  if (S_ISDIR(info.st_mode)) return system_error("read", path, EISDIR);
  // Opening some devices acts on them already. A pipe that takes the file's place now is not waited
  // for, because of O_NONBLOCK.
  int number = -1;
  if (S_ISREG(info.st_mode)) {
    number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (number < 0) return system_error("read", path, errno);
  }
  const Descriptor file(number);
  if (number < 0 || ::fstat(number, &info) != 0 || !S_ISREG(info.st_mode)) {
    return Error{
        ErrorKind::Io,
        format("cannot read {}: it is {}, not a regular file", path, type_name(info.st_mode)),
        {}};
  }
  return read_all(number, path, limit, content);
}

// The descriptor of ours that a path names: /dev/stdin, and what a shell writes for <(command).
std::optional<int> descriptor_of(std::string_view path) {
  if (path == "/dev/stdin") return STDIN_FILENO;
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view directory : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(directory)) continue;
    const std::string_view digits = path.substr(directory.size());
    int number = -1;
    const char* end = digits.data() + digits.size();
    const auto parsed = std::from_chars(digits.data(), end, number);
    if (parsed.ec == std::errc() && parsed.ptr == end && number >= 0) return number;
  }
  return std::nullopt;
}

}  // namespace

Result<std::string> read_descriptor(int descriptor, std::string_view name, std::size_t limit) {
  return read_all(descriptor, name, limit, Content::Text);
}

Result<std::string> read_file(const std::string& path, std::size_t limit) {
  return read_regular(path, limit, Content::Bytes);
}

Result<std::string> read_input(const std::string& path, std::size_t limit) {
  if (!descriptor_of(path)) return read_regular(path, limit, Content::Text);
  // Opened and not read as it is: the descriptor may have been read to its end before.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (file.number() < 0) return system_error("read", path, errno);
  return read_all(file.number(), path, limit, Content::Text);
}

namespace {

// Signals that end the program wait until a temporary file is gone.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t signals;
    ::sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
      ::sigaddset(&signals, signal);
    ::pthread_sigmask(SIG_BLOCK, &signals, &before_);
  }
  ~SignalsHeld() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_{};
};

// A file that is there keeps its owner, if we may choose it.
bool keep_owner(int descriptor, const std::optional<struct stat>& before) {
  struct stat now {};
  if (!before || ::fstat(descriptor, &now) != 0) return true;
  if (now.st_uid == before->st_uid && now.st_gid == before->st_gid) return true;
  return ::fchown(descriptor, before->st_uid, before->st_gid) == 0;
}

Result<Done> write_atomic(const std::string& path, std::string_view text, mode_t mode,
                          const std::optional<struct stat>& before, bool& not_ours) {
  const SignalsHeld held;
  // In the same directory, because rename cannot cross file systems. mkostemp creates with O_EXCL,
  // which refuses links, and with mode 0600, so that a secret cannot be read before the mode is
  // set.
  std::string temporary = join_path(directory_of(path), ".kubectl-dra.XXXXXX");
  Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (file.number() < 0) return system_error("write", path, errno);
  not_ours = !keep_owner(file.number(), before);
  const bool written = !not_ours && write_all(file.number(), text) &&
                       ::fchmod(file.number(), mode) == 0 && file.close() &&
                       ::rename(temporary.c_str(), path.c_str()) == 0;
  if (written) return Done{};
  const int code = errno;
  ::unlink(temporary.c_str());
  return system_error("write", path, code);
}

// Into what is there: a pipe, a device, or a file of another user.
Result<Done> write_through(const std::string& path, std::string_view text, int flags) {
  // A pipe can be opened without waiting only when it has a reader.
  constexpr int attempts = 100;
  constexpr int pause_milliseconds = 100;
  int number = -1;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    number = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | flags);
    if (number >= 0 || errno != ENXIO) break;
    ::poll(nullptr, 0, pause_milliseconds);
  }
  if (number < 0) return system_error("write", path, errno);
  Descriptor file(number);
  const int now = ::fcntl(number, F_GETFL);
  if (now < 0 || ::fcntl(number, F_SETFL, now & ~O_NONBLOCK) != 0 || !write_all(number, text) ||
      !file.close())
    return system_error("write", path, errno);
  return Done{};
}

// The file that a link leads to, which may not exist yet.
std::string behind_links(std::string path) {
  constexpr int most = 40;  // as the kernel
  for (int links = 0; links < most; ++links) {
    std::array<char, 4096> target{};
    const ssize_t size = ::readlink(path.c_str(), target.data(), target.size());
    if (size <= 0) break;
    path = join_path(directory_of(path), {target.data(), static_cast<std::size_t>(size)});
  }
  return path;
}

}  // namespace

Result<Done> write_file_atomic(const std::string& path, std::string_view text, mode_t mode) {
  bool not_ours = false;
  return write_atomic(path, text, mode, std::nullopt, not_ours);
}

Result<Done> write_output(const std::string& path, std::string_view text, mode_t mode) {
  if (const auto descriptor = descriptor_of(path)) {
    if (!write_all(*descriptor, text)) return system_error("write", path, errno);
    return Done{};
  }
  struct stat info {};
  const bool there = ::stat(path.c_str(), &info) == 0;
  if (there && S_ISDIR(info.st_mode)) return system_error("write", path, EISDIR);
  if (there && !S_ISREG(info.st_mode)) return write_through(path, text, 0);
  bool not_ours = false;
  Result<Done> done = write_atomic(behind_links(path), text, mode,
                                   there ? std::optional(info) : std::nullopt, not_ours);
  return not_ours ? write_through(path, text, O_TRUNC) : done;
}

bool exists(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0;
}

Result<mode_t> mode_of(const std::string& path) {
  struct stat info = {};
  if (::stat(path.c_str(), &info) != 0) return system_error("look at", path, errno);
  return static_cast<mode_t>(info.st_mode & 07777);
}

bool is_directory(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

bool is_link(const std::string& path) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0 && S_ISLNK(info.st_mode);
}

Result<std::vector<std::string>> list_directory(const std::string& path) {
  const auto close_directory = [](DIR* directory) { ::closedir(directory); };
  const std::unique_ptr<DIR, decltype(close_directory)> directory(::opendir(path.c_str()),
                                                                  close_directory);
  if (!directory) return system_error("list", path, errno);
  std::vector<std::string> names;
  while (true) {
    errno = 0;  // the end and an error both return null
    const dirent* entry = ::readdir(directory.get());
    if (entry == nullptr) break;
    const std::string_view name = static_cast<const char*>(entry->d_name);
    if (name != "." && name != "..") names.emplace_back(name);
  }
  if (errno != 0) return system_error("list", path, errno);
  std::sort(names.begin(), names.end());
  return names;
}

namespace {

// Adds the paths below `directory` that the rest of a pattern stands for.
void find_like(const std::string& directory, std::string_view rest,
               std::vector<std::string>& paths) {
  const std::size_t slash = rest.find('/');
  const std::string part(rest.substr(0, slash));
  const auto follow = [&](const std::string& name) {
    const std::string path = directory.empty() ? name : join_path(directory, name);
    if (slash != std::string_view::npos) {
      find_like(path, rest.substr(slash + 1), paths);
    } else if (exists(path)) {
      paths.push_back(path);
    }
  };
  if (part.empty() || part.find_first_of("*?[\\") == std::string::npos) return follow(part);
  const auto names = list_directory(directory.empty() ? "." : directory);
  if (!names.ok()) return;
  for (const std::string& name : names.value()) {
    if (::fnmatch(part.c_str(), name.c_str(), 0) == 0) follow(name);
  }
}

}  // namespace

std::vector<std::string> paths_like(std::string_view pattern) {
  std::vector<std::string> paths;
  const bool absolute = pattern.starts_with('/');
  find_like(absolute ? "/" : "", pattern.substr(absolute ? 1 : 0), paths);
  return paths;
}

std::string directory_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  const std::size_t last = path.find_last_not_of('/', slash);
  return last == std::string_view::npos ? "/" : std::string(path.substr(0, last + 1));
}

std::string join_path(std::string_view directory, std::string_view path) {
  if (directory.empty() || path.starts_with('/')) return std::string(path);
  if (path.empty()) return std::string(directory);
  std::string joined(directory);
  if (!joined.ends_with('/')) joined += '/';
  joined += path;
  return joined;
}

std::string clean_path(std::string_view path) {
  const bool rooted = path.starts_with('/');
  std::vector<std::string> kept;
  for (const std::string_view part : split(path, '/')) {
    if (part.empty() || part == ".") continue;
    const bool up = part == "..";
    if (up && !kept.empty() && kept.back() != "..") {
      kept.pop_back();
    } else if (!up || !rooted) {  // above the root is the root
      kept.emplace_back(part);
    }
  }
  const std::string joined = join(kept, "/");
  if (rooted) return "/" + joined;
  return joined.empty() ? "." : joined;
}

std::string expand_home(std::string_view path, std::string_view home) {
  if (home.empty() || !path.starts_with('~')) return std::string(path);
  if (path == "~") return std::string(home);
  if (path[1] != '/') return std::string(path);
  return join_path(home, path.substr(std::min(path.find_first_not_of('/', 1), path.size())));
}

}  // namespace dra::base
