// src/report/explain/explanation_devices.h
//
// The devices that were asked about in the text of an explanation: for each demand whether the
// device is or could be had for it, or all that is against it.

#pragma once

#include "dra/report/explain/explanation.h"

namespace dra::report {

// The first device shares a screen with what stands above it, each other one has its own.
void add_devices(view::Document& document, const Explanation& explanation, bool wide);

}  // namespace dra::report
