// include/dra/engine/cluster/subjects.h: what reports and findings call devices and pools.

#pragma once

#include <string>

#include "dra/diag/subject.h"
#include "dra/engine/cluster/pool.h"
#include "dra/engine/cluster/usage.h"

namespace dra::engine {

diag::SubjectName device_subject(const DeviceId& id);
diag::SubjectName pool_subject(const Pool& pool);

// Why the scheduler passes over a pool that is incomplete or invalid: "pool p of d.example has 1 of
// 2 slices of generation 7".
std::string unusable_pool_words(const Pool& pool);

}  // namespace dra::engine
