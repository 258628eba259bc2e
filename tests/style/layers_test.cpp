// tests/style/layers_test.cpp: the layering rule, for layers and for the modules inside them, as
// tables and tests.

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "dra/base/text.h"
#include "tests/support/files.h"

namespace dra::layers_test {
namespace {

using Layers = std::set<std::string>;

struct Layer {
  std::string name;
  Layers may_include;
};

// A layer may include itself and these. The order is the order in which to read the sources.
const std::vector<Layer> kLayers = {
    {"base", {}},
    {"diag", {"base"}},
    {"json", {"base", "diag"}},
    {"cel", {"base", "diag"}},
    {"view", {"base", "diag"}},
    {"api", {"base", "diag", "json"}},
    {"session", {"base", "diag", "json"}},
    {"snapshot", {"base", "diag", "json", "api", "session"}},
    {"engine", {"base", "diag", "json", "cel", "api", "session", "snapshot"}},
    {"checks", {"base", "diag", "json", "cel", "api", "session", "snapshot", "engine"}},
    {"topology", {"base", "diag", "json", "cel", "api", "session", "snapshot", "engine"}},
    // It decides, and does not present: it knows neither JSON nor a view.
    {"answers",
     {"base", "diag", "cel", "api", "session", "snapshot", "engine", "checks", "topology"}},
    {"report",
     {"base", "diag", "json", "cel", "view", "api", "session", "snapshot", "engine", "checks",
      "topology", "answers"}},
    {"render", {"base", "diag", "json", "view"}},
    {"cmd",
     {"base", "diag", "json", "cel", "view", "api", "session", "snapshot", "engine", "checks",
      "topology", "answers", "report", "render"}},
};

// A module of a layer may include itself and these of the same layer, and whatever the layer may
// include.
struct Module {
  std::string name;  // "engine/cluster"; the files of "cmd" itself are a module, too
  Layers may_include;
};

// Within a layer the order is again the order in which to read.
const std::vector<Module> kModules = {
    {"cel/syntax", {}},
    {"cel/values", {"cel/syntax"}},
    {"cel/library", {"cel/syntax", "cel/values"}},
    {"cel/check", {"cel/syntax", "cel/values", "cel/library"}},
    {"cel/run", {"cel/syntax", "cel/values", "cel/library", "cel/check"}},
    {"cel/hints", {"cel/syntax", "cel/values", "cel/library", "cel/check", "cel/run"}},

    {"engine/facts", {}},
    {"engine/cluster", {"engine/facts"}},
    {"engine/selectors", {"engine/facts", "engine/cluster"}},
    {"engine/scheduler", {"engine/facts", "engine/cluster", "engine/selectors"}},
    {"engine/whatif", {"engine/facts", "engine/cluster", "engine/selectors", "engine/scheduler"}},
    {"engine/running", {"engine/facts", "engine/cluster", "engine/scheduler"}},

    {"checks/fields", {}},
    {"checks/lint", {"checks/fields"}},
    {"checks/rules", {"checks/fields", "checks/lint"}},
    {"checks/manifest", {"checks/fields", "checks/lint", "checks/rules"}},
    {"checks/convert", {"checks/fields", "checks/manifest"}},

    {"answers/explain", {}},
    {"answers/problems", {"answers/explain"}},
    {"answers/diff", {"answers/explain"}},
    {"answers/validate", {"answers/explain"}},

    {"report/phrases", {}},
    {"report/lists", {"report/phrases"}},
    {"report/schema", {"report/lists"}},
    {"report/describe", {"report/phrases", "report/lists"}},
    {"report/explain", {"report/phrases", "report/lists", "report/describe"}},
    {"report/doctor", {"report/phrases", "report/lists", "report/explain"}},
    {"report/diff", {"report/phrases"}},
    {"report/topology", {"report/phrases", "report/lists"}},
    {"report/top", {"report/phrases", "report/lists"}},
    {"report/validate", {"report/phrases"}},
    {"report/eval", {"report/phrases", "report/lists"}},

    {"render/go_template", {}},

    {"cmd", {}},
    {"cmd/commands/watch", {"cmd"}},
    {"cmd/commands/explain", {"cmd", "cmd/commands/watch"}},
    {"cmd/complete", {"cmd"}},
    {"cmd/mcp", {"cmd"}},
    {"cmd/man", {"cmd"}},
    {"cmd/commands",
     {"cmd", "cmd/commands/watch", "cmd/commands/explain", "cmd/complete", "cmd/mcp"}},
};

// A library and the one file that may include its headers.
struct Library {
  std::string header;  // as it begins
  std::string file;
};

const std::vector<Library> kLibraries = {
    {"CLI/", "cmd/flags.cpp"},          {"curl/", "src/session/curl_library.h"},
    {"fmt/", "src/base/text.cpp"},      {"re2/", "src/cel/library/regex.cpp"},
    {"simdjson", "src/json/parse.cpp"}, {"yaml-cpp/", "src/json/yaml_complaint.cpp"},
    {"yaml.h", "src/json/yaml.cpp"},    {"protozero/", "src/base/wire.cpp"},
};

std::vector<std::string> all_sources() {
  std::vector<std::string> files;
  for (const Layer& layer : kLayers) {
    for (std::string& file : support::sources_of(layer.name))
      files.push_back(std::move(file));
  }
  return files;
}

// What a file includes: paths with their quotes or brackets.
std::vector<std::string> includes_of(const std::string& file) {
  constexpr std::string_view start = "#include ";
  const std::string text = support::read(file);
  std::vector<std::string> includes;
  for (const std::string_view line : base::split(text, '\n')) {
    if (line.starts_with(start)) includes.emplace_back(line.substr(start.size()));
  }
  return includes;
}

// "dra/X/..." is the interface of layer X; "src/X/..." is private to X; nobody includes cmd but
// cmd.
void check_includes_point_down(const Layer& layer, const std::string& file) {
  const std::regex pattern("\"(?:(dra|src)/(\\w+)|(cmd))/.*");
  std::smatch match;
  for (const std::string& include : includes_of(file)) {
    if (!std::regex_match(include, match, pattern)) continue;
    const std::string target = match[3].matched ? "cmd" : match[2].str();
    if (target == layer.name) continue;
    CHECK_MESSAGE(match[1] != "src", file, ": private header: ", include);
    CHECK_MESSAGE(layer.may_include.contains(target), file, ": points up: ", include);
  }
}

TEST_CASE("every include points down") {
  for (const Layer& layer : kLayers) {
    const auto files = support::sources_of(layer.name);
    CHECK_MESSAGE(!files.empty(), layer.name);
    for (const std::string& file : files)
      check_includes_point_down(layer, file);
  }
}

TEST_CASE("every layer is in the table") {
  Layers known;
  for (const Layer& layer : kLayers)
    known.insert(layer.name);
  for (const std::string root : {"src/", "include/dra/"}) {
    for (const std::string& file : support::files_below(root, "")) {
      const std::string layer(base::split(file.substr(root.size()), '/').front());
      CHECK_MESSAGE(known.contains(layer), file);
    }
  }
}

// The module of a file, or of what is included: its folder within the layer, or the one above it,
// as the files of engine/scheduler/rules are of engine/scheduler. A layer without modules is its
// own.
std::string module_of(const std::string& path) {
  const std::regex pattern("(?:include/dra/|dra/|src/)?(.*)/[^/]*");
  std::smatch match;
  if (!std::regex_match(path, match, pattern)) return path;
  const std::string folder = match[1].str();
  const std::string above = folder.substr(0, folder.rfind('/'));
  const auto is_in_table = [](const std::string& name) {
    return std::ranges::find(kModules, name, &Module::name) != kModules.end();
  };
  const bool inside = !is_in_table(folder) && above.find('/') != above.npos && is_in_table(above);
  return inside ? above : folder;
}

std::string layer_of(const std::string& module) { return module.substr(0, module.find('/')); }

void check_module(const Module& module, const std::string& file) {
  const std::regex pattern("\"((?:dra|src|cmd)/.*)\"");
  std::smatch match;
  for (const std::string& include : includes_of(file)) {
    if (!std::regex_match(include, match, pattern)) continue;
    const std::string target = module_of(match[1].str());
    if (target == module.name || layer_of(target) != layer_of(module.name)) continue;
    CHECK_MESSAGE(module.may_include.contains(target), file, ": not for this module: ", include);
    CHECK_MESSAGE(!match[1].str().starts_with("src/"), file, ": private header: ", include);
  }
}

TEST_CASE("a module includes only what stands above it in the table") {
  Layers found;
  for (const Layer& layer : kLayers) {
    for (const std::string& file : support::sources_of(layer.name)) {
      const std::string name = module_of(file);
      found.insert(name);
      if (name == layer.name && name != "cmd") continue;
      const auto module = std::ranges::find(kModules, name, &Module::name);
      CHECK_MESSAGE(module != kModules.end(), file, ": its module is in no table");
      if (module != kModules.end()) check_module(*module, file);
    }
  }
  for (const Module& module : kModules)
    CHECK_MESSAGE(found.contains(module.name), module.name, " has no files");
}

TEST_CASE("the table of modules has no cycle") {
  Layers above;
  for (const Module& module : kModules) {
    for (const std::string& used : module.may_include)
      CHECK_MESSAGE(above.contains(used), module.name, ": ", used);
    above.insert(module.name);
  }
}

TEST_CASE("a public header includes no private one") {
  for (const std::string& file : support::files_below("include/dra", ".h")) {
    for (const std::string& include : includes_of(file))
      CHECK_MESSAGE(!include.starts_with("\"src/"), file, ": ", include);
  }
}

TEST_CASE("a folder has at most 60 files") {
  std::map<std::string, int> files;
  for (const std::string& file : all_sources())
    ++files[file.substr(0, file.rfind('/'))];
  for (const auto& [folder, count] : files)
    CHECK_MESSAGE(count <= 60, folder);
}

void check_library(const std::string& file, const std::string& include) {
  for (const Library& library : kLibraries) {
    const bool its_header = include.starts_with("<" + library.header);
    CHECK_MESSAGE((!its_header || file == library.file), file, ": includes ", include,
                  ", which belongs in ", library.file);
  }
}

TEST_CASE("a library has one file that includes it") {
  for (const std::string& file : all_sources()) {
    for (const std::string& include : includes_of(file))
      check_library(file, include);
  }
}

}  // namespace
}  // namespace dra::layers_test
