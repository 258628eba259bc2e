// src/report/phrases/subject_words.cpp: see subject_words.h.

#include "dra/report/phrases/subject_words.h"

#include "dra/base/text.h"

namespace dra::report {
SubjectName subject_of(std::string_view kind, const api::ObjectMeta& meta) {
  return {std::string(kind), std::string(meta.namespace_), std::string(meta.name)};
}

SubjectName device_subject(const engine::DeviceId& id) {
  return {"Device", {}, engine::to_string(id)};
}

SubjectName pool_subject(const engine::Pool& pool) {
  return {"Pool", {}, base::format("{}/{}", pool.driver, pool.name)};
}

}  // namespace dra::report
