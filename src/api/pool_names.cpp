// src/api/pool_names.cpp: see pool_names.h.

#include "dra/api/pool_names.h"

#include <algorithm>
#include <numeric>

namespace dra::api {

std::uint32_t PoolNames::number_of(const PoolName& name) {
  const auto next = static_cast<std::uint32_t>(names_.size());
  const auto [known, is_new] = numbers_.try_emplace(name, next);
  if (is_new) names_.push_back(name);
  return known->second;
}

void PoolNames::add(ResourceSlice& slice) {
  slice.spec.pool.number = number_of({slice.spec.driver, slice.spec.pool.name});
}

void PoolNames::add(ResourceClaim& claim) {
  if (!claim.status.allocation) return;
  for (AllocationResultItem& result : claim.status.allocation->devices.results)
    result.pool_number = number_of({result.driver, result.pool});
}

void PoolNames::sort() {
  sorted_.resize(names_.size());
  std::iota(sorted_.begin(), sorted_.end(), 0);
  const auto name = [this](std::uint32_t number) -> const PoolName& { return names_[number]; };
  std::ranges::sort(sorted_, {}, name);
}

}  // namespace dra::api
