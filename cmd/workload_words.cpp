// cmd/workload_words.cpp: singular, plural and short names of the workload kinds of api/kinds.

#include "cmd/workload_words.h"

#include <algorithm>

#include "dra/base/text.h"

namespace dra::cmd {
namespace {

// The short names in servers' discovery documents.
std::string_view short_name(api::Kind kind) {
  switch (kind) {
    case api::Kind::CronJob:
      return "cj";
    case api::Kind::DaemonSet:
      return "ds";
    case api::Kind::Deployment:
      return "deploy";
    case api::Kind::LeaderWorkerSet:
      return "lws";
    case api::Kind::ReplicaSet:
      return "rs";
    case api::Kind::StatefulSet:
      return "sts";
    default:
      return {};
  }
}

bool names_workload(const api::KindInfo& kind, std::string_view word) {
  const std::size_t dot = word.find('.');
  if (dot != std::string_view::npos && word.substr(dot + 1) != kind.group) return false;
  const std::string_view bare = word.substr(0, dot);
  return bare == singular_of(kind.kind) || bare == kind.resource ||
         (!bare.empty() && bare == short_name(kind.kind));
}

}  // namespace

std::string singular_of(api::Kind workload) { return base::lower(api::info_of(workload).name); }

std::vector<api::Kind> workload_kinds() {
  std::vector<api::Kind> kinds;
  for (const api::KindInfo& kind : api::all_kinds()) {
    if (kind.is_workload()) kinds.push_back(kind.kind);
  }
  return kinds;
}

std::optional<api::Kind> workload_of_word(std::string_view word) {
  const std::string lower = base::lower(word);
  for (const api::Kind kind : workload_kinds()) {
    if (names_workload(api::info_of(kind), lower)) return kind;
  }
  return std::nullopt;
}

}  // namespace dra::cmd
