// src/answers/explain/outlook.h
//
// Whether a subject that fits nowhere can ever fit: the same engine over the same cluster, in which
// nobody else holds any device.

#pragma once

#include <optional>
#include <span>

#include "dra/answers/explain/explanation.h"

namespace dra::answers {

// Of a subject that does not fit on these nodes. No value where that is not proven.
std::optional<Outlook> outlook_of(const snapshot::Snapshot& snapshot,
                                  const engine::Inventory& inventory,
                                  const engine::Subject& subject,
                                  std::span<const engine::NodeStanding> nodes);

}  // namespace dra::answers
