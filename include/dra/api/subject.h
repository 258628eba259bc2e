// include/dra/api/subject.h: what reports and findings call an object of the API.

#pragma once

#include <string_view>

#include "dra/api/meta.h"
#include "dra/diag/subject.h"

namespace dra::api {

diag::SubjectName subject_of(std::string_view kind, const ObjectMeta& meta);

}  // namespace dra::api
