// src/api/subject.cpp: see subject.h.

#include "dra/api/subject.h"

namespace dra::api {

diag::SubjectName subject_of(std::string_view kind, const ObjectMeta& meta) {
  return {std::string(kind), std::string(meta.namespace_), std::string(meta.name)};
}

}  // namespace dra::api
