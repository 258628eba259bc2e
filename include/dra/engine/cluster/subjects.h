// include/dra/engine/cluster/subjects.h: what reports and findings call devices and pools.

#pragma once

#include "dra/diag/subject.h"
#include "dra/engine/cluster/pool.h"
#include "dra/engine/cluster/usage.h"

namespace dra::engine {

diag::SubjectName device_subject(const DeviceId& id);
diag::SubjectName pool_subject(const Pool& pool);

}  // namespace dra::engine
