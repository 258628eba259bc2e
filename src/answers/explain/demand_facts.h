// src/answers/explain/demand_facts.h: what the selectors of a subject choose in the cluster, and
// what is wrong with them.

#pragma once

#include <vector>

#include "dra/answers/explain/explanation.h"
#include "dra/engine/scheduler/demands.h"

namespace dra::answers {

// How much an explanation says: the verdict and its causes alone, or also conditions of selectors,
// evidence, and what would help.
enum class Detail { Causes, Every };

// Of what is to be allocated. `demands` are the subject's.
std::vector<DemandFacts> demand_facts(const engine::Subject& subject,
                                      const engine::Demands& demands,
                                      const engine::Inventory& inventory,
                                      const snapshot::Server& server, Detail detail);

}  // namespace dra::answers
