// include/dra/answers/explain/dropped_fields.h
//
// What to say of fields that the API server has dropped: see checks/fields/applied_fields.h.

#pragma once

#include <string>

#include "dra/checks/fields/applied_fields.h"
#include "dra/diag/remedy.h"
#include "dra/snapshot/snapshot.h"

namespace dra::answers {

// "the API server dropped it (feature gate DRAConsumableCapacity, off by default in v1.34)".
std::string why_dropped(const snapshot::Server& server, engine::Gate gate);
std::string remedy_of_dropped(engine::Gate gate);

}  // namespace dra::answers
