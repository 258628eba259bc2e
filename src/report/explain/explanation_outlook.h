// src/report/explain/explanation_outlook.h
//
// Whether a subject that fits nowhere can ever fit: the same engine over the same cluster, in which
// nobody else holds any device.

#pragma once

#include <optional>

#include "dra/report/explain/explanation.h"

namespace dra::report {

// No value where that is not proven.
std::optional<Outlook> outlook_of(const snapshot::Snapshot& snapshot,
                                  const engine::Inventory& inventory,
                                  const Explanation& explanation);

// As a sentence.
std::string outlook_words(const Explanation& explanation);

}  // namespace dra::report
