// include/dra/base/files.h
//
// Reading and writing whole files, and names of paths. Every error says which path and what the
// system said about it; a path that does not exist is ErrorKind::NotFound, all else ErrorKind::Io.
//
// Paths are plain text with `/`. Descriptors are closed on exec, so that a credential plugin never
// inherits one. No limit is guessed: a reader of foreign files passes the one that fits.

#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "dra/base/result.h"

namespace dra::base {

inline constexpr std::size_t kDefaultReadLimit = std::size_t{1} << 30U;  // 1 GiB

// The whole file; pipes and `<(...)` are read to their end. More than `limit` bytes is an error, as
// half a file would be taken for the whole.
Result<std::string> read_file(const std::string& path, std::size_t limit = kDefaultReadLimit);

// What is left to read from an open descriptor, such as standard input (0), which stays open.
// `name` stands for it in errors.
Result<std::string> read_descriptor(int descriptor, std::string_view name,
                                    std::size_t limit = kDefaultReadLimit);

// Readers see the old file or the whole new one, never a part: written beside it, then renamed. The
// temporary file is new, so no link placed in its way is followed, and a link at `path` itself is
// replaced, not written through. `mode` is exact: the umask does not apply. There is no fsync:
// after a power cut the file may be empty, so readers must bear that.
Result<Done> write_file_atomic(const std::string& path, std::string_view text, mode_t mode);

// Who may read and write the file, for writing it anew.
Result<mode_t> mode_of(const std::string& path);

bool exists(const std::string& path);
bool is_directory(const std::string& path);

// The names in a directory, sorted by bytes, without `.` and `..`.
Result<std::vector<std::string>> list_directory(const std::string& path);

// "a/b/c" -> "a/b", "c" -> ".", "/c" -> "/".
std::string directory_of(std::string_view path);

// `path` as seen from `directory`; an absolute path stays what it is.
std::string join_path(std::string_view directory, std::string_view path);

// The shortest name of the same path, by its text alone: `a//b/./c/../d/` -> `a/b/d`, "" -> ".".
// Links are not looked at (Go's path/filepath.Clean on Unix).
std::string clean_path(std::string_view path);

// A leading `~` or `~/` replaced by `home`, for paths that no shell has seen. `~user` stays, and so
// does everything when home is not known.
std::string expand_home(std::string_view path, std::string_view home);

}  // namespace dra::base
