// src/report/explain/drain_budgets.h: what a drain needs where PodDisruptionBudgets stop it.

#pragma once

#include <string>

#include "dra/answers/explain/pod_plan.h"
#include "dra/json/value.h"
#include "dra/view/document.h"

namespace dra::report {

// "; PodDisruptionBudget web/web never lets it finish", of the budgets that delay it most. Empty:
// none delays it.
std::string budgets_headline(const answers::DrainFacts& drain);

// A sentence for each budget that delays the drain, and the command that helps.
void add_budget_notes(view::Document& document, const answers::DrainFacts& drain, bool wide);

// A budget allows no eviction unless it is changed.
bool needs_other_budget(const answers::DrainFacts& drain);

json::Value budgets_json(const answers::DrainFacts& drain);

}  // namespace dra::report
