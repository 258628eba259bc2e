// src/report/validate/validation_existing.cpp: which objects of a cluster the manifests are about.

#include <map>
#include <set>

#include "dra/base/names.h"
#include "dra/report/validate/validation.h"

namespace dra::report {
namespace {

using api::Kind;

// From so many of a kind on in one namespace one list is less work than to get each of them.
constexpr std::size_t kMostGets = 50;

bool is_got_by_name(Kind kind) {
  return kind == Kind::Claim || kind == Kind::Pod || kind == Kind::Template;
}

}  // namespace

std::vector<snapshot::Need> existing_needs(const Validation& validation, const std::string& ns) {
  std::map<std::pair<Kind, std::string>, std::set<std::string>> names;
  for (const FileObject& seen : validation.seen) {
    const auto& defined = seen.object.defines;
    if (!defined || !is_got_by_name(defined->kind)) continue;
    const std::string& in = defined->namespace_.empty() ? ns : defined->namespace_;
    // What no object can be called has no place in a URL.
    if (!base::is_path_segment(defined->name) || !base::is_path_segment(in)) continue;
    names[{defined->kind, in}].insert(defined->name);
  }
  std::vector<snapshot::Need> needs;
  needs.reserve(names.size());
  for (const auto& [of, all] : names) {
    snapshot::Need& need = needs.emplace_back();
    need.kind = of.first;
    need.namespace_ = of.second;
    if (all.size() < kMostGets) need.names.assign(all.begin(), all.end());
  }
  return needs;
}

}  // namespace dra::report
