// include/dra/report/phrases/subject_json.h
//
// What a report is about, as JSON: {"kind", "namespace"?, "name"?}, as far as it has them.

#pragma once

#include "dra/diag/subject.h"
#include "dra/json/value.h"

namespace dra::report {

json::Value subject_json(const diag::SubjectName& subject);

}  // namespace dra::report
