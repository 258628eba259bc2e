// cmd/manifest_files.cpp: expands directories, downloads URLs and reads the files.

#include "cmd/manifest_files.h"

#include <algorithm>
#include <array>

#include "dra/base/files.h"
#include "dra/base/text.h"
#include "dra/session/download.h"
#include "dra/session/redact.h"

namespace dra::cmd {
namespace {

constexpr int kMaxDepth = 50;  // of directories

bool is_manifest(std::string_view name) {
  constexpr std::array<std::string_view, 3> endings = {".json", ".yaml", ".yml"};
  return std::ranges::any_of(endings, [name](std::string_view end) { return name.ends_with(end); });
}

Result<Done> find_in(const std::string& directory, bool recursive, int depth,
                     std::vector<std::string>& files) {
  if (depth > kMaxDepth)
    return Error{ErrorKind::BadInput, directory + ": directories are nested too deeply", {}};
  for (const std::string& name : DRA_TRY(base::list_directory(directory))) {
    std::string path = base::join_path(directory, name);
    if (base::is_directory(path)) {
      // Like kubectl, which walks over directories, but not over links to them.
      if (recursive && !base::is_link(path)) DRA_TRY(find_in(path, recursive, depth + 1, files));
    } else if (is_manifest(name)) {
      files.push_back(std::move(path));
    }
  }
  return Done{};
}

// Like kubectl, which takes a pattern that the shell has not replaced for the files that it stands
// for, unless a file has that very name.
std::vector<std::string> paths_of(const std::string& name) {
  std::vector<std::string> paths{name};
  if (name == "-" || session::is_url(name) || base::exists(name)) return paths;
  std::vector<std::string> like = base::paths_like(name);
  return like.empty() ? paths : like;
}

Result<Done> add_files(const std::string& path, bool recursive, std::vector<std::string>& files) {
  if (path == "-" || session::is_url(path) || !base::is_directory(path)) {
    files.push_back(path);
    return Done{};
  }
  const std::size_t before = files.size();
  DRA_TRY(find_in(path, recursive, 0, files));
  if (files.size() == before)
    return Error{ErrorKind::BadInput, path + ": no .json, .yaml or .yml file in this directory",
                 recursive ? "" : "-R looks in the directories below it, too"};
  return Done{};
}

Result<std::string> read_manifest(const Context& context, const std::string& file) {
  if (file == "-") return context.console().streams.read_input();
  if (!session::is_url(file)) {
    const session::Environment& environment = context.console().environment;
    return base::read_input(file,
                            DRA_TRY(session::max_read_of(environment, base::kDefaultReadLimit)));
  }
  return session::download(file, context.source().client.http, context.console().environment);
}

}  // namespace

Result<std::vector<ManifestFile>> read_manifests(const Context& context,
                                                 const std::vector<std::string>& names,
                                                 bool recursive) {
  if (std::ranges::count(names, "-") > 1)
    return Error{ErrorKind::BadInput, "standard input cannot be used for multiple arguments",
                 "name it once; `---` separates the manifests in it"};
  std::vector<std::string> files;
  for (const std::string& name : names) {
    for (const std::string& path : paths_of(name))
      DRA_TRY(add_files(path, recursive, files));
  }
  std::vector<ManifestFile> manifests;
  manifests.reserve(files.size());
  for (const std::string& file : files) {
    std::string text = DRA_TRY(read_manifest(context, file));
    std::string name = file;
    if (file == "-") name = "standard input";
    if (session::is_url(file)) name = session::without_query(file);
    manifests.push_back({std::move(name), std::move(text)});
  }
  return manifests;
}

Flag filename_flag(std::vector<std::string>& files) {
  return {"filename", 'f', "FILE",
          "A file, directory or URL with manifests, or a pattern in quotes; `-` reads standard "
          "input. May be repeated.",
          &files};
}

Flag recursive_flag(bool& recursive) {
  return {"recursive", 'R', "", "Look in the directories below those of --filename, too.",
          &recursive};
}

void warn_comments_lost(const Context& context, const std::string& file) {
  context.warn(base::format(
      "{}: rewritten without its comments: an object could not be changed as it stands", file));
}

}  // namespace dra::cmd
