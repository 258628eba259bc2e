// include/dra/engine/facts/amount.h
//
// Amounts as slices and claims write them.

#pragma once

#include "dra/api/meta.h"
#include "dra/base/quantity.h"

namespace dra::engine {

// The server lets nothing that cannot be read through; a manifest may have it.
inline base::Quantity amount_or(const api::Quantity& written,
                                const base::Quantity& otherwise = {}) {
  base::Quantity amount;
  const bool readable = base::Quantity::read(written.text, amount) == base::Quantity::Flaw::None;
  return readable ? amount : otherwise;
}

}  // namespace dra::engine
