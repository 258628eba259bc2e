// src/answers/explain/outlook.h
//
// Decides whether a subject that fits nowhere can ever fit: runs the same engine over a cluster in
// which no other claim holds a device.

#pragma once

#include <optional>
#include <span>

#include "dra/answers/explain/explanation.h"

namespace dra::answers {

// The outlook of a subject that does not fit on these nodes, with what is foreseen for it after
// scheduling. No value: not proven.
std::optional<Outlook> outlook_of(const snapshot::Snapshot& snapshot,
                                  const engine::Inventory& inventory,
                                  const engine::Subject& subject,
                                  std::span<const engine::NodeResult> nodes,
                                  std::span<const engine::AfterFinding> after);

}  // namespace dra::answers
