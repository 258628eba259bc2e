// src/answers/explain/device_remedies.h: what to do about the reason against the nearest nodes,
// where the cluster shows more than the code of the reason says.

#pragma once

#include "dra/answers/explain/selector_findings.h"
#include "dra/diag/remedy.h"
#include "src/answers/explain/cause.h"

namespace dra::answers {

// Against the node's reasons of that code. Without a text: nothing more is known.
diag::Remedy remedy_for(const Grounds& grounds, const engine::NodeResult& node, diag::Code code);
// Against a reason of the node itself: "uncordon it".
diag::Remedy remedy_against(const Grounds& grounds, const engine::NodeResult& node,
                            const diag::Reason& reason);
// For a selector that fails: the name or the type that devices have.
diag::Remedy remedy_for(const SelectorFinding& finding);

}  // namespace dra::answers
