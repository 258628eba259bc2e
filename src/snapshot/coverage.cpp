// src/snapshot/coverage.cpp: a sorted list of gaps, one for each kind; the first reason for a kind
// stays.

#include "dra/snapshot/coverage.h"

#include <algorithm>

#include "dra/base/text.h"

namespace dra::snapshot {

std::string cannot_be_read(const Missing& missing) {
  if (missing.not_in_files)
    return base::format("{} are not in the files", api::info_of(missing.kind).resource);
  return base::format("{} cannot be read{}", api::info_of(missing.kind).resource,
                      missing.but_in.empty() ? "" : " but in namespace " + missing.but_in);
}

std::string not_in_files(const Coverage& coverage) {
  std::vector<std::string> resources;
  for (const Missing& missing : coverage.missing()) {
    if (missing.not_in_files) resources.emplace_back(api::info_of(missing.kind).resource);
  }
  return resources.empty() ? std::string()
                           : base::format("the files hold no {}", base::join(resources, ", no "));
}

void Coverage::add(api::Kind kind, std::string reason) {
  const auto at = std::ranges::lower_bound(missing_, kind, {}, &Missing::kind);
  if (at != missing_.end() && at->kind == kind) return;
  missing_.insert(at, Missing{kind, std::move(reason)});
}

void Coverage::add_not_in_files(api::Kind kind) {
  if (find(kind) != nullptr) return;
  add(kind, "they hold none, and it is not known whether the cluster has some");
  std::ranges::find(missing_, kind, &Missing::kind)->not_in_files = true;
}

void Coverage::add_aside(api::Kind kind) { aside_.push_back(kind); }

void Coverage::presume_none(api::Kind kind) { presumed_none_.push_back(kind); }

bool Coverage::presumes_none(api::Kind kind) const {
  return std::ranges::find(presumed_none_, kind) != presumed_none_.end();
}

void Coverage::put_aside(api::Kind kind) {
  const auto recorded = [kind](const Missing& missing) {
    return missing.kind == kind && !missing.not_in_files;
  };
  if (std::erase_if(missing_, recorded) > 0) add_aside(kind);
}

void Coverage::keep_only(std::span<const api::Kind> kinds) {
  std::erase_if(missing_, [kinds](const Missing& missing) {
    return std::ranges::find(kinds, missing.kind) == kinds.end();
  });
}

const Missing* Coverage::find(api::Kind kind) const {
  const auto found = std::ranges::find(missing_, kind, &Missing::kind);
  return found == missing_.end() ? nullptr : &*found;
}

void Coverage::add_read(api::Kind kind, std::string_view ns) {
  const auto found = std::ranges::find(missing_, kind, &Missing::kind);
  if (found != missing_.end()) found->but_in = ns;
}

bool Coverage::saw(api::Kind kind, std::string_view ns) const {
  const Missing* missing = find(kind);
  return missing == nullptr || (!ns.empty() && missing->but_in == ns);
}

bool Coverage::saw(api::Kind kind) const {
  return find(kind) == nullptr && std::ranges::find(aside_, kind) == aside_.end();
}

}  // namespace dra::snapshot
