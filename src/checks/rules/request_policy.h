// src/checks/rules/request_policy.h
//
// How much of a capacity may be asked for. Upstream:
// k8s.io/kubernetes/pkg/apis/resource/validation, validateRequestPolicy and what it calls.

#pragma once

#include "dra/checks/fields/field.h"

namespace dra::checks {

// `capacity` is the most that there is.
void check_request_policy(const base::Quantity& capacity, const Field& policy);

}  // namespace dra::checks
