// src/report/phrases/evidence_json.h: the evidence of a reason as JSON.

#pragma once

#include "dra/diag/evidence.h"
#include "dra/json/value.h"

namespace dra::report {

// Adds the members that are present: constraints, counters, capacity, pool, alternatives, refusal.
void add_evidence(json::Value& reason, const diag::Evidence& evidence);

}  // namespace dra::report
