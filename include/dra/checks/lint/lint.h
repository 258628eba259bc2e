// include/dra/checks/lint/lint.h
//
// Lint: what the API server accepts and the scheduler, the driver or the kubelet then fails on.
// Correct manifests get no warning; what only some clusters break on is a hint at most.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "dra/api/kinds.h"
#include "dra/checks/fields/field.h"
#include "dra/diag/codes.h"
#include "dra/engine/selectors/selector.h"
#include "dra/snapshot/snapshot.h"

namespace dra::checks {

// Any object: a version that the server does not serve, or soon will not; fields that the server
// sets.
void lint_object(const Field& object, const api::KindInfo& kind, std::string_view version,
                 const snapshot::Server& server);

void lint_claim(const Field& devices);
// `complete`: no field of the class was lost for being unknown.
void lint_class(const Field& spec, bool complete);
// The spec of a pod, or of a template for `pods` pods (1 where the object does not say how many).
void lint_pod(const Field& spec, std::int64_t pods);

// A part of a selector that is false or fails for every device, whatever the cluster has. A failing
// selector makes the scheduler give up on the pod.
struct SelectorLint {
  std::string message;  // with the part of the expression that it is about
  std::string fix;      // what to write instead
  diag::Code code = diag::Code::SelectorPathUnknown;
  bool certain = true;     // false: it rests on what is known about a driver
  std::size_t offset = 0;  // of the part in the expression, in bytes
};

// In the order of the text, without duplicates; empty for a selector that does not compile.
std::vector<SelectorLint> lint_selector(const engine::Selector& selector);

// The constant parts that the server accepts and cannot evaluate, such as quantity("80GB").
std::vector<SelectorLint> lint_constants(const engine::Selector& selector,
                                         const engine::Language& language);

}  // namespace dra::checks
