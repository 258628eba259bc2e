// src/api/version_history.cpp: one table, in which a row for one kind comes before that of all.

#include "dra/api/version_history.h"

#include <algorithm>
#include <array>

namespace dra::api {
namespace {

struct Row {
  std::string_view kind;  // empty: all kinds
  std::string_view version;
  VersionHistory history;
};

constexpr std::array kRows = {
    Row{"DeviceTaintRule", "v1", {37}},
    Row{"DeviceTaintRule", "v1beta2", {36, 39, 42}},
    Row{"DeviceTaintRule", "v1alpha3", {33, 36, 39}},
    Row{"", "v1", {34}},
    Row{"", "v1beta2", {33, 36, 39}},
    Row{"", "v1beta1", {32, 35, 38}},
};

}  // namespace

std::optional<VersionHistory> history_of(const KindInfo& kind, std::string_view version) {
  if (!kind.is_dra() || std::ranges::find(kind.versions, version) == kind.versions.end())
    return std::nullopt;
  const auto* row = std::ranges::find_if(kRows, [&](const Row& one) {
    return one.version == version && (one.kind.empty() || one.kind == kind.name);
  });
  return row == kRows.end() ? std::nullopt : std::optional(row->history);
}

bool has_version(const KindInfo& kind, std::string_view version, int release) {
  const auto history = history_of(kind, version);
  return history && history->introduced <= release &&
         (history->removed == 0 || release < history->removed);
}

std::vector<std::string_view> versions_in(const KindInfo& kind, int release) {
  std::vector<std::string_view> versions;
  for (const std::string_view version : kind.versions) {
    if (!version.empty() && has_version(kind, version, release)) versions.push_back(version);
  }
  return versions;
}

bool is_on_by_default(std::string_view version) {
  return version.find("alpha") == std::string_view::npos &&
         version.find("beta") == std::string_view::npos;
}

}  // namespace dra::api
