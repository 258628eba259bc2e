// src/engine/cluster/subjects.cpp: see subjects.h.

#include "dra/engine/cluster/subjects.h"

#include "dra/base/text.h"

namespace dra::engine {

diag::SubjectName device_subject(const DeviceId& id) { return {"Device", {}, to_string(id)}; }

diag::SubjectName pool_subject(const Pool& pool) {
  return {"Pool", {}, base::format("{}/{}", pool.driver, pool.name)};
}

}  // namespace dra::engine
