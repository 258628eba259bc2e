// include/dra/report/doctor/doctor.h: presents every problem with its meaning and its remedy.

#pragma once

#include "dra/answers/problems/doctor.h"
#include "dra/report/doctor/overview.h"

namespace dra::report {

json::Value to_json(const answers::Doctor& doctor, const OverviewSource& source);
view::Document to_view(const answers::Doctor& doctor, const OverviewSource& source);

}  // namespace dra::report
