// cmd/manifest_files.h
//
// The files of --filename, as kubectl finds them: named ones, those of a directory that end with
// .json, .yaml or .yml, URLs, and standard input.

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

// In the order of the names; of a directory by name. `recursive`: also what is in directories
// below. BadInput where a directory has none.
Result<std::vector<ManifestFile>> read_manifests(const Context& context,
                                                 const std::vector<std::string>& names,
                                                 bool recursive);

Flag filename_flag(std::vector<std::string>& files);
Flag recursive_flag(bool& recursive);

// That a file lost its comments when it was changed.
void warn_written_anew(const Context& context, const std::string& file);

}  // namespace dra::cmd
