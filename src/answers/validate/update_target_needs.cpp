// src/answers/validate/update_target_needs.cpp: finds the objects of a cluster that the files
// update. Names that no object can have are skipped.

#include <algorithm>
#include <map>
#include <set>

#include "dra/answers/validate/validation.h"
#include "dra/base/names.h"

namespace dra::answers {
namespace {

using api::Kind;

// From this many objects of a kind in one namespace on, one list is cheaper than a get for each.
constexpr std::size_t kMostGets = 50;

bool is_got_by_name(Kind kind) {
  return kind == Kind::Claim || kind == Kind::Pod || kind == Kind::Template;
}

}  // namespace

std::vector<snapshot::Need> update_target_needs(std::span<const Manifest> manifests,
                                                const std::string& ns) {
  std::map<std::pair<Kind, std::string>, std::set<std::string>> names;
  const auto add = [&](const checks::ObjectName& defined) {
    if (!is_got_by_name(defined.kind)) return;
    const std::string& in = defined.namespace_.empty() ? ns : defined.namespace_;
    // An invalid name has no place in a URL.
    if (!base::is_path_segment(defined.name) || !base::is_path_segment(in)) return;
    names[{defined.kind, in}].insert(defined.name);
  };
  for (const Manifest& manifest : manifests) {
    for (const checks::Document& document : manifest.documents)
      std::ranges::for_each(checks::defined_names(document), add);
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

}  // namespace dra::answers
