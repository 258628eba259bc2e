// include/dra/engine/whatif/what_if.h
//
// Changes as part of a snapshot: what is computed from it afterwards is what would be if somebody
// made them. The same changes that advice is made of, see change.h; and where both can be had, the
// same outcome.

#pragma once

#include <span>

#include "dra/base/result.h"
#include "dra/engine/facts/change.h"
#include "dra/engine/whatif/supposed.h"

namespace dra::engine {

// In their order, before anything is computed from the snapshot. Fails, naming what is not there,
// where a change has no place. A claim that is made from a template is changed where it is, and in
// its template where it is not made yet.
Result<Done> make_so(snapshot::Snapshot& snapshot, const Wanted& wanted,
                     std::span<const Change> changes);

}  // namespace dra::engine
