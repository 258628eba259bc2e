// src/base/files.cpp: POSIX calls with errors in words. Interrupted calls are repeated.

#include "dra/base/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
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

}  // namespace

Result<std::string> read_descriptor(int descriptor, std::string_view name, std::size_t limit) {
  std::string text;
  struct stat info {};
  if (::fstat(descriptor, &info) == 0) {
    if (S_ISDIR(info.st_mode)) return system_error("read", name, EISDIR);
    // The size is only a hint: files in /proc say 0, and a file may grow while it is read.
    if (S_ISREG(info.st_mode))
      text.reserve(std::min(static_cast<std::size_t>(info.st_size), limit));
  }
  std::array<char, 65'536> buffer{};
  while (true) {
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error("read", name, errno);
    if (count == 0) return text;
    const auto size = static_cast<std::size_t>(count);
    if (size > limit - text.size()) {
      return Error{ErrorKind::Io, format("cannot read {}: longer than {} bytes", name, limit), {}};
    }
    text.append(buffer.data(), size);
  }
}

Result<std::string> read_file(const std::string& path, std::size_t limit) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (file.number() < 0) return system_error("read", path, errno);
  return read_descriptor(file.number(), path, limit);
}

Result<Done> write_file_atomic(const std::string& path, std::string_view text, mode_t mode) {
  // In the same directory, because rename cannot cross file systems. mkostemp creates with O_EXCL,
  // which refuses links, and with mode 0600, so that nobody reads a secret before the mode is set.
  std::string temporary = join_path(directory_of(path), ".kubectl-dra.XXXXXX");
  Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (file.number() < 0) return system_error("write", path, errno);
  const bool written = write_all(file.number(), text) && ::fchmod(file.number(), mode) == 0 &&
                       file.close() && ::rename(temporary.c_str(), path.c_str()) == 0;
  if (written) return Done{};
  const int code = errno;
  ::unlink(temporary.c_str());
  return system_error("write", path, code);
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
