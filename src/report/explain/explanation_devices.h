// src/report/explain/explanation_devices.h
//
// The devices that the user asked about, in the text of an explanation: for each demand the
// verdict, or all reasons against the device.

#pragma once

#include "dra/report/explain/explanation.h"

namespace dra::report {

// The first device fits on one screen with the text above it; each further one has its own.
void add_devices(view::Document& document, const Explanation& explanation, bool wide);

}  // namespace dra::report
