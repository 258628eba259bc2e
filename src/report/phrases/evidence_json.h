// src/report/phrases/evidence_json.h: the figures behind a reason, as JSON.

#pragma once

#include "dra/diag/evidence.h"
#include "dra/json/value.h"

namespace dra::report {

// Adds what there is to the reason's object: constraints, counters, capacity, pool, alternatives.
void add_evidence(json::Value& reason, const diag::Evidence& evidence);

}  // namespace dra::report
