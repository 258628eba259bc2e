// src/answers/explain/scheduler_bugs.cpp: the table. A bug is a row, listed only after its issue
// and the release notes of its fix were read.

#include "src/answers/explain/scheduler_bugs.h"

#include <array>
#include <charconv>

#include "dra/base/text.h"
#include "dra/engine/facts/features.h"

namespace dra::answers {
namespace {

// The first patch release of a minor release with the fix.
struct Fixed {
  int minor;
  int patch;
};
struct Bug {
  int issue;  // of kubernetes/kubernetes
  std::array<std::string_view, 2> signs;
  std::array<Fixed, 2> fixed;  // of the releases that have it
  std::string_view what;
  std::string_view way_out;
};

constexpr std::array kBugs = {
    Bug{139016,
        {"number of allocations", "is smaller than number of claims"},
        {Fixed{35, 6}, Fixed{36, 2}},
        "a pod with a claim that is allocated and one that is not fails where several nodes fit",
        "update kube-scheduler, or keep the pod to one node"},
};

// "v1.36.1-gke.100" -> 1; no value: the version has no patch release.
std::optional<int> patch_of(std::string_view version) {
  const std::size_t first = version.find('.');
  const std::size_t second = version.find('.', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return std::nullopt;
  int patch = 0;
  const std::string_view digits = version.substr(second + 1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), patch);
  if (error != std::errc()) return std::nullopt;
  return patch;
}

bool has_signs(const Bug& bug, std::string_view message) {
  for (const std::string_view sign : bug.signs) {
    if (message.find(sign) == std::string_view::npos) return false;
  }
  return true;
}

// Whether that release may have the bug; one without a patch release may.
bool may_have(const Bug& bug, const snapshot::Server& server) {
  for (const Fixed& fixed : bug.fixed) {
    if (engine::minor_release(server) != fixed.minor) continue;
    const auto patch = patch_of(server.version);
    return !patch || *patch < fixed.patch || server.assumed;
  }
  return false;
}

}  // namespace

std::string known_bug(std::string_view message, const snapshot::Server& server) {
  for (const Bug& bug : kBugs) {
    if (!has_signs(bug, message) || !may_have(bug, server)) continue;
    std::vector<std::string> fixes;
    for (const Fixed& fixed : bug.fixed)
      fixes.push_back(base::format("v1.{} before v1.{}.{}", fixed.minor, fixed.minor, fixed.patch));
    return base::format("a bug of kube-scheduler {} (kubernetes/kubernetes issue {}): {}; {}.",
                        base::join(fixes, " and "), bug.issue, bug.what, bug.way_out);
  }
  return {};
}

}  // namespace dra::answers
