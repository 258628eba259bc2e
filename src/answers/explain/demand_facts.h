// src/answers/explain/demand_facts.h: the devices that the selectors of a subject choose in the
// cluster, and problems of these selectors.

#pragma once

#include <vector>

#include "dra/answers/explain/explanation.h"
#include "dra/engine/scheduler/demands.h"

namespace dra::answers {

// How much an explanation computes: verdict and causes alone, or also conditions of selectors,
// evidence and advice.
enum class Detail { Causes, Every };

// Facts about the demands of claims that are not allocated. `demands` must be the subject's.
std::vector<DemandFacts> demand_facts(const engine::Subject& subject,
                                      const engine::Demands& demands,
                                      const engine::Inventory& inventory,
                                      const snapshot::Server& server, Detail detail);

}  // namespace dra::answers
