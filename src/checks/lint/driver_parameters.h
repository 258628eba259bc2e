// src/checks/lint/driver_parameters.h
//
// Which parameters drivers take. The API server takes any object; a driver that does not know what
// it finds there refuses to prepare the claim, long after the pod got its node, or ignores it.

#pragma once

#include "dra/checks/fields/field.h"

namespace dra::checks {

// A warning where the driver is known, and what stands there is nothing that it takes.
void check_driver_parameters(const Field& opaque);

}  // namespace dra::checks
