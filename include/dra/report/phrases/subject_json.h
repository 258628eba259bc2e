// include/dra/report/phrases/subject_json.h
//
// The subject of a report as JSON: {"kind", "namespace"?, "name"?}. Empty members are left out.

#pragma once

#include "dra/diag/subject.h"
#include "dra/json/value.h"

namespace dra::report {

json::Value subject_json(const diag::SubjectName& subject);

}  // namespace dra::report
