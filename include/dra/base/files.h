// include/dra/base/files.h
//
// Reading and writing whole files, and names of paths. Every error says which path and what the
// system said about it; a path that does not exist is ErrorKind::NotFound, all else ErrorKind::Io.
//
// Paths are plain text with `/`. Descriptors are closed on exec, so that a credential plugin never
// inherits one. Readers of foreign files pass a limit of their own.

#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "dra/base/result.h"

namespace dra::base {

inline constexpr std::size_t kDefaultReadLimit = std::size_t{1} << 30U;  // 1 GiB

// The whole of a regular file. Anything else is an error, as a pipe or a device may have no end, or
// no program that writes to it. More than `limit` bytes is an error: half a file must not pass for
// the whole.
Result<std::string> read_file(const std::string& path, std::size_t limit = kDefaultReadLimit);

// The same for text that the user names: /dev/stdin and `<(...)` are read to their end as well. A
// zero byte ends the reading with an error.
Result<std::string> read_input(const std::string& path, std::size_t limit = kDefaultReadLimit);

// The rest of an open descriptor, such as standard input (0), which stays open. Errors call it
// `name`. It must be text, too.
Result<std::string> read_descriptor(int descriptor, std::string_view name,
                                    std::size_t limit = kDefaultReadLimit);

// Readers see the old file or the whole new one, never a part: the text goes to a temporary file in
// the same directory, which is then renamed. The temporary file is new, so no link placed in its
// way is followed, and a link at `path` itself is replaced, not written through. `mode` is exact:
// the umask does not apply. There is no fsync: after a power cut the file may be empty, and readers
// must expect that.
Result<Done> write_file_atomic(const std::string& path, std::string_view text, mode_t mode);

// The same into a file that the user names. A pipe, a device or /dev/stdout is written to; a link
// is followed, and the file that it leads to keeps its owner. `mode` is exact for files of ours.
Result<Done> write_output(const std::string& path, std::string_view text, mode_t mode);

// Of files with what a cluster tells: their owner alone can read them.
inline constexpr mode_t kPrivate = 0600;

// The file's permissions, to keep them when it is written again.
Result<mode_t> mode_of(const std::string& path);

bool exists(const std::string& path);
bool is_directory(const std::string& path);  // or a link to one
bool is_link(const std::string& path);

// The names in a directory, sorted by bytes, without `.` and `..`.
Result<std::vector<std::string>> list_directory(const std::string& path);

// The paths that a pattern with `*`, `?` and `[...]` stands for, names with a leading dot among
// them, sorted by bytes. None where a directory cannot be read (Go's path/filepath.Glob).
std::vector<std::string> paths_like(std::string_view pattern);

// "a/b/c" -> "a/b", "c" -> ".", "/c" -> "/".
std::string directory_of(std::string_view path);

// `path` relative to `directory`; an absolute path stays as it is.
std::string join_path(std::string_view directory, std::string_view path);

// The shortest name of the same path, by its text alone: `a//b/./c/../d/` -> `a/b/d`, "" -> ".".
// Links are not resolved (Go's path/filepath.Clean on Unix).
std::string clean_path(std::string_view path);

// Replaces a leading `~` or `~/` by `home`, in paths that no shell has expanded. `~user` stays. An
// empty `home` is not known: everything stays.
std::string expand_home(std::string_view path, std::string_view home);

}  // namespace dra::base
