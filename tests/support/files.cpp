// tests/support/files.cpp

#include "tests/support/files.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "dra/base/files.h"

namespace dra::support {

namespace fs = std::filesystem;

std::vector<std::string> files_below(const std::string& directory, const std::string& ending) {
  std::vector<std::string> files;
  if (!fs::is_directory(directory)) return files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(directory)) {
    std::string path = entry.path().generic_string();
    if (entry.is_regular_file() && path.ends_with(ending)) files.push_back(std::move(path));
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> sources_of(const std::string& layer) {
  const std::vector<std::string> directories =
      layer == "cmd" ? std::vector<std::string>{"cmd"}
                     : std::vector<std::string>{"include/dra/" + layer, "src/" + layer};
  std::vector<std::string> files;
  for (const std::string& directory : directories) {
    for (const char* ending : {".h", ".cpp"}) {
      for (std::string& file : files_below(directory, ending))
        files.push_back(std::move(file));
    }
  }
  return files;
}

std::string read(const std::string& path) {
  auto text = base::read_file(path);
  if (!text.ok()) FAIL(text.error().message);
  return std::move(text).take();
}

void write(const std::string& path, const std::string& text) {
  fs::create_directories(fs::path(path).parent_path());
  const mode_t mode = text.starts_with("#!") ? 0755 : 0644;
  const auto written = base::write_file_atomic(path, text, mode);
  if (!written.ok()) FAIL(written.error().message);
}

bool asked_to(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

void check_generated(const std::string& path, const std::string& want) {
  if (asked_to("UPDATE_GENERATED")) {
    write(path, want);
    return;
  }
  CAPTURE(path);
  const bool present = fs::exists(path);
  CHECK_MESSAGE(present, "missing; to write it: UPDATE_GENERATED=1 ctest -R style");
  if (present) CHECK_MESSAGE(read(path) == want, "stale: UPDATE_GENERATED=1 ctest -R style");
}

}  // namespace dra::support
