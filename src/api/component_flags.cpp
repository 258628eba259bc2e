// src/api/component_flags.cpp: the command line of a pod's containers (k8s.io/api core/v1), and the
// flags in it as github.com/spf13/pflag reads them.

#include "dra/api/component_flags.h"

#include <algorithm>
#include <span>

#include "dra/base/text.h"
#include "src/api/pod_part.h"

namespace dra::api {
namespace {

struct ContainerCommand {
  std::vector<std::string_view> command;
  std::vector<std::string_view> arguments;
};
struct PodCommands {
  std::vector<ContainerCommand> containers;
};

}  // namespace

template <class Io>
void fields(Io& io, ContainerCommand& c) {
  io.field("command", 3, c.command);
  io.field("args", 4, c.arguments);
}

template <class Io>
void fields(Io& io, PodCommands& c) {
  io.field("containers", 2, c.containers);
}

namespace {

using Words = std::vector<std::string_view>;

bool is_program(std::string_view word, std::string_view program) {
  return word.substr(word.rfind('/') + 1) == program;
}

// The values of a flag, "--flag=VALUE" or "--flag VALUE".
Words values_of(std::span<const std::string_view> words, std::string_view flag) {
  Words values;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].starts_with(flag)) continue;
    const std::string_view rest = words[i].substr(flag.size());
    if (rest.starts_with('='))
      values.push_back(rest.substr(1));
    else if (rest.empty() && i + 1 < words.size())
      values.push_back(words[++i]);
  }
  return values;
}

// "DRAAdminAccess=true,kube:DRADeviceTaints=false": the part before ":" is the component.
void add_gates(std::string_view value, ComponentFlags& flags) {
  for (const std::string_view entry : base::split(value, ',')) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos) continue;
    std::string_view name = base::trim(entry.substr(0, equals));
    name = name.substr(name.rfind(':') + 1);
    const std::string_view on = base::trim(entry.substr(equals + 1));
    const bool is_on = on == "1" || on == "t" || on == "T" || base::lower(on) == "true";
    flags.gates.emplace_back(name, is_on);
  }
}

}  // namespace

std::optional<bool> ComponentFlags::gate(std::string_view name) const {
  std::optional<bool> says;
  for (const auto& [gate, on] : gates) {
    if (gate == name) says = on;
  }
  return says;
}

bool ComponentFlags::has_gates_by_stage() const { return gate("AllAlpha") || gate("AllBeta"); }

bool ComponentFlags::runs_controller(std::string_view name) const {
  bool others = controllers.empty();
  for (const std::string& entry : controllers) {
    if (entry == name) return true;
    if (entry.starts_with('-') && std::string_view(entry).substr(1) == name) return false;
    others = others || entry == "*";
  }
  return others;
}

ComponentFlags flags_of(const Pod& pod, std::string_view program) {
  base::Arena arena;
  const PodCommands commands = spec_part_of<PodCommands>(pod, arena);
  for (const ContainerCommand& container : commands.containers) {
    Words words = container.command;
    words.insert(words.end(), container.arguments.begin(), container.arguments.end());
    const auto start = std::ranges::find_if(
        words, [program](std::string_view word) { return is_program(word, program); });
    if (start == words.end()) continue;
    const std::span<const std::string_view> after(start + 1, words.end());
    ComponentFlags flags{.known = true};
    for (const std::string_view value : values_of(after, "--feature-gates"))
      add_gates(value, flags);
    for (const std::string_view value : values_of(after, "--controllers")) {
      for (const std::string_view entry : base::split(value, ','))
        flags.controllers.emplace_back(base::trim(entry));
    }
    return flags;
  }
  return {};
}

}  // namespace dra::api
