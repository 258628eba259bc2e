// src/report/explain/explanation_devices.h
//
// The devices that were asked about in the text of an explanation: for each demand whether the
// device is or could be had for it, or all that is against it.

#pragma once

#include "dra/report/explain/explanation.h"

namespace dra::report {

// One device with what stands above it takes a screen at most.
void add_devices(view::Document& document, const Explanation& explanation, bool wide);

}  // namespace dra::report
