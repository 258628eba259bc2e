// include/dra/report/explain/supply.h: presents who could use a node, device or slice, as JSON and
// as text.

#pragma once

#include "dra/answers/explain/explain_supply.h"
#include "dra/json/value.h"
#include "dra/view/document.h"

namespace dra::report {

json::Value to_json(const answers::SupplyExplanation& explanation);
view::Document to_view(const answers::SupplyExplanation& explanation, bool wide);

}  // namespace dra::report
