// src/snapshot/coverage.cpp: see coverage.h.

#include "dra/snapshot/coverage.h"

#include <algorithm>

namespace dra::snapshot {

void Coverage::add(api::Kind kind, std::string reason) {
  const auto at = std::ranges::lower_bound(missing_, kind, {}, &Missing::kind);
  if (at != missing_.end() && at->kind == kind) return;
  missing_.insert(at, Missing{kind, std::move(reason)});
}

bool Coverage::saw(api::Kind kind) const {
  return std::ranges::find(missing_, kind, &Missing::kind) == missing_.end();
}

}  // namespace dra::snapshot
