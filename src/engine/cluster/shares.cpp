// src/engine/cluster/shares.cpp: see shares.h.

#include "dra/engine/cluster/shares.h"

namespace dra::engine {

std::optional<base::Quantity> taken_of(Holders holders, std::string_view capacity) {
  base::Quantity taken;
  for (const Holding& holding : holders) {
    const api::Quantity* part = api::find(holding.result->consumed_capacity, capacity);
    if (part == nullptr || holding.admin()) continue;
    const auto amount = base::Quantity::parse(part->text);
    if (!amount.ok()) return std::nullopt;
    taken.add(amount.value());
  }
  return taken;
}

}  // namespace dra::engine
