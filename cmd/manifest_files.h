// cmd/manifest_files.h
//
// Reads the files of --filename as kubectl does: files, the .json, .yaml and .yml files of a
// directory, those that a pattern stands for, URLs, and standard input.
// Upstream: k8s.io/cli-runtime/pkg/resource, expandIfFilePattern.

#pragma once

#include <string>
#include <vector>

#include "cmd/command.h"
#include "dra/base/result.h"

namespace dra::cmd {

struct ManifestFile {
  std::string name;  // "standard input" for `-`
  std::string text;
};

// In the order of `names`, files of a directory sorted by name. `recursive` includes
// subdirectories. BadInput for a directory without such files.
Result<std::vector<ManifestFile>> read_manifests(const Context& context,
                                                 const std::vector<std::string>& names,
                                                 bool recursive);

Flag filename_flag(std::vector<std::string>& files);
Flag recursive_flag(bool& recursive);

// Warns that a changed file lost its comments.
void warn_comments_lost(const Context& context, const std::string& file);

}  // namespace dra::cmd
