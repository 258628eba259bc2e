// include/dra/report/phrases/advice_words.h
//
// Changes, advice and conflicts in words and as JSON, the published contract.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/answers/explain/change_facts.h"
#include "dra/engine/whatif/advice.h"
#include "dra/engine/whatif/conflicts.h"
#include "dra/json/value.h"

namespace dra::report {

// The claim whose spec a change edits, as SubjectClaim::label() names it; empty: none.
std::string edited_claim(const engine::Change& change);
// nullptr: the subject has no such claim.
const engine::SubjectClaim* claim_labelled(const engine::Subject& subject, std::string_view label);

// Follows "If": "request gpu asked for 2 devices".
std::string change_words(const engine::Change& change, const answers::ChangeFacts& facts);
// Stands above so many pieces of advice: "To make it fit, any one of these (simulated, nothing was
// changed):". `it` is what would fit.
std::string advice_title(std::string_view it, std::size_t pieces);
// What to do: "suspend Job a, which ends pod ml/a-0 (Running 5d)". `facts` has one for each change.
std::string advice_words(const engine::Advice& advice, std::span<const answers::ChangeFacts> facts);
// What follows from it: "fits on 2 nodes", "fits there" of a node that is added.
std::string gain_words(const engine::Advice& advice);
// Where to edit the new text, as claims are immutable: in the template, or in a new claim. Empty if
// nothing changes that has to be made again.
std::string how_words(const engine::Advice& advice, std::span<const answers::ChangeFacts> facts,
                      const engine::Subject& subject);
// Whether the API server accepts another pod template for what creates pods. A Job's and what Jobs
// are made from is not as simple.
bool has_editable_template(std::string_view owner_kind);
// What its commands do to objects that cannot be edited: "This deletes claim c and creates it with
// the change:" Empty if nothing is replaced.
std::string replaced_words(const engine::Advice& advice,
                           std::span<const answers::ChangeFacts> facts,
                           const engine::Subject& subject);
// What becomes of an edit of an object that a tool such as Helm writes again: "It is part of Helm
// release vllm: edit it there, because ..." Empty if none does.
std::string lasting_words(std::span<const answers::ChangeFacts> facts);
// What protects the pods that it ends from evictions, which is not asked where they are deleted:
// "PodDisruptionBudget ml/web allows no eviction of ..." Each is a sentence.
std::vector<std::string> protection_words(std::span<const answers::ChangeFacts> facts);
// The kind of change that was tried: "fewer devices", "other selectors".
std::string_view means_words(engine::Means means);
// "request gpu", "constraint 0", "what others hold".
std::string part_words(const engine::DemandPart& part);

json::Value change_json(const engine::Change& change);
json::Value advice_json(const engine::Advice& advice, std::span<const answers::ChangeFacts> facts,
                        const engine::Subject& subject, const snapshot::Server& server);
json::Value conflicts_json(const std::vector<engine::Conflict>& conflicts);

}  // namespace dra::report
