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

// Behind "It would fit if": "request gpu asked for 2 devices".
std::string change_words(const engine::Change& change, const snapshot::Snapshot& snapshot);
// "pod ml/a went away: it is of the same Job, which makes it anew".
std::string advice_words(const engine::Advice& advice, const engine::Subject& subject,
                         const snapshot::Snapshot& snapshot);
// Pods that the change lets go, which the subject's own controller has made; its kind.
struct OwnWorkload {
  std::string kind = {};
  std::vector<std::string> pods = {};
};
OwnWorkload own_workload_in(const engine::Change& change, const engine::Subject& subject,
                            const snapshot::Snapshot& snapshot);
// "'Ampere' instead of 'Hopper'"; empty where no value becomes another one.
std::string values_words(const std::vector<engine::ValueInstead>& values);
// What has to be done beside, as claims cannot be edited: where the new text belongs. Empty where
// no claim changes.
std::string how_words(const engine::Advice& advice, const engine::Subject& subject);
// What was tried: "fewer devices", "other selectors".
std::string_view means_words(engine::Means means);
// "request gpu", "constraint 0", "what others hold".
std::string part_words(const engine::DemandPart& part);

json::Value change_json(const engine::Change& change);
json::Value advice_json(const engine::Advice& advice, const engine::Subject& subject,
                        const snapshot::Snapshot& snapshot);
json::Value conflicts_json(const std::vector<engine::Conflict>& conflicts);

}  // namespace dra::report
