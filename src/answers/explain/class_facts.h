// src/answers/explain/class_facts.h: the classes that the claims of an explanation name.

#pragma once

#include "dra/answers/explain/explanation.h"

namespace dra::answers {

ClassFacts class_facts(const snapshot::Snapshot& snapshot, const engine::Inventory& inventory,
                       const engine::Subject& subject);

}  // namespace dra::answers
