// tests/support/files.h
//
// Files of the source tree. Tests run with the root of the tree as their working directory, so
// paths are relative to it: what a golden shows is the same on every machine.

#pragma once

#include <string>
#include <vector>

namespace dra::support {

// The files below a directory whose names end so, sorted; none if it does not exist.
std::vector<std::string> files_below(const std::string& directory, const std::string& ending);

// Headers and sources of a layer: include/dra/LAYER and src/LAYER, or cmd.
std::vector<std::string> sources_of(const std::string& layer);

// The whole file; a test that names a file that is not there fails.
std::string read(const std::string& path);
// Creates directories as needed; a script that names its interpreter becomes executable.
void write(const std::string& path, const std::string& text);

// True if the environment variable is set to something: how a user asks a test to accept what is.
bool asked_to(const char* variable);

// Compares a checked-in file with what it should be, or rewrites it when UPDATE_GENERATED is set.
void check_generated(const std::string& path, const std::string& want);

}  // namespace dra::support
