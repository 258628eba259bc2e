// include/dra/engine/facts/amount.h
//
// Amounts as slices and claims write them.

#pragma once

#include "dra/api/meta.h"
#include "dra/base/quantity.h"

namespace dra::engine {

// Reads an amount. The API server admits only readable ones; a manifest may hold anything, and then
// `otherwise` counts.
inline base::Quantity amount_or(const api::Quantity& written,
                                const base::Quantity& otherwise = {}) {
  base::Quantity amount;
  const bool readable = base::Quantity::read(written.text, amount) == base::Quantity::Flaw::None;
  return readable ? amount : otherwise;
}

}  // namespace dra::engine
