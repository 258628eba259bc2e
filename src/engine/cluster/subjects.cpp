// src/engine/cluster/subjects.cpp: see subjects.h.

#include "dra/engine/cluster/subjects.h"

#include "dra/base/text.h"

namespace dra::engine {

diag::SubjectName device_subject(const DeviceId& id) { return {"Device", {}, to_string(id)}; }

diag::SubjectName pool_subject(const Pool& pool) {
  return {"Pool", {}, base::format("{}/{}", pool.driver, pool.name)};
}

std::string unusable_pool_words(const Pool& pool) {
  if (pool.state == PoolState::Invalid)
    return base::format("pool {} of {} is invalid: {}", pool.name, pool.driver, pool.problem);
  return base::format("pool {} of {} has {} of {} slices of generation {}", pool.name, pool.driver,
                      pool.slices_seen, pool.slices_expected, pool.generation);
}

}  // namespace dra::engine
