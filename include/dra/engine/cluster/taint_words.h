// include/dra/engine/cluster/taint_words.h: what the words of a taint say about the device.

#pragma once

#include "dra/api/slice.h"

namespace dra::engine {

// Whether the words say that the device does not work: what tolerates it gets a broken device.
bool says_broken(const api::DeviceTaint& taint);

}  // namespace dra::engine
