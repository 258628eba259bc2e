// include/dra/report/phrases/advice_words.h
//
// Changes, advice and conflicts in words and as JSON, the published contract.

#pragma once

#include <string>

#include "dra/engine/whatif/advice.h"
#include "dra/engine/whatif/conflicts.h"
#include "dra/json/value.h"
#include "dra/snapshot/snapshot.h"

namespace dra::report {

// Follows "It would fit if": "request gpu asked for 2 devices".
std::string change_words(const engine::Change& change, const snapshot::Snapshot& snapshot);
// "pod ml/a went away: it is of the same Job, which makes it anew".
std::string advice_words(const engine::Advice& advice, const engine::Subject& subject,
                         const snapshot::Snapshot& snapshot);
// The pods that the change removes and that the subject's own controller created; the kind of that
// controller.
struct OwnWorkload {
  std::string kind = {};
  std::vector<std::string> pods = {};
};
OwnWorkload own_workload_in(const engine::Change& change, const engine::Subject& subject,
                            const snapshot::Snapshot& snapshot);
// Where to edit the new text, as claims are immutable: in the template, or in a new claim. Empty if
// no claim changes.
std::string how_words(const engine::Advice& advice, const engine::Subject& subject);
// The kind of change that was tried: "fewer devices", "other selectors".
std::string_view means_words(engine::Means means);
// "request gpu", "constraint 0", "what others hold".
std::string part_words(const engine::DemandPart& part);

json::Value change_json(const engine::Change& change);
json::Value advice_json(const engine::Advice& advice, const engine::Subject& subject,
                        const snapshot::Snapshot& snapshot);
json::Value conflicts_json(const std::vector<engine::Conflict>& conflicts);

}  // namespace dra::report
