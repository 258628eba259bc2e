// include/dra/report/phrases/subject_words.h
//
// The names of subjects in a sentence.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dra/api/meta.h"
#include "dra/diag/subject.h"
#include "dra/engine/cluster/pool.h"
#include "dra/engine/cluster/usage.h"

namespace dra::report {

using diag::SubjectName;

SubjectName subject_of(std::string_view kind, const api::ObjectMeta& meta);
SubjectName device_subject(const engine::DeviceId& id);
SubjectName pool_subject(const engine::Pool& pool);

}  // namespace dra::report
