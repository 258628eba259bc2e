// include/dra/checks/fields/applied_fields.h
//
// Fields that were applied to an object of the cluster and that it does not have, because the API
// server drops fields whose feature gate is off. What was applied stands in an annotation of
// kubectl: k8s.io/kubectl/pkg/util, GetModifiedConfiguration.

#pragma once

#include <string>
#include <vector>

#include "dra/api/claim.h"
#include "dra/api/device_class.h"
#include "dra/engine/facts/features.h"

namespace dra::checks {

struct LostField {
  std::string field;  // "spec.devices.requests[].exactly.capacity"
  engine::Gate gate;
};

// Fields of gates that are off, each once. None of an object that was not applied by kubectl.
std::vector<LostField> lost_fields(const api::ResourceClaim& claim, const engine::Features& gates);
std::vector<LostField> lost_fields(const api::ResourceClaimTemplate& made_from,
                                   const engine::Features& gates);
std::vector<LostField> lost_fields(const api::DeviceClass& of, const engine::Features& gates);

}  // namespace dra::checks
