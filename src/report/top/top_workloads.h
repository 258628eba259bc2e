// src/report/top/top_workloads.h: the rows of `top workloads`, as JSON and as a table.

#pragma once

#include <vector>

#include "dra/json/value.h"
#include "dra/report/phrases/scene.h"
#include "dra/report/top/top.h"
#include "dra/view/document.h"

namespace dra::report {

std::vector<WorkloadTop> workloads_of(const Scene& scene);
json::Value workload_json(const WorkloadTop& row);
view::Table workload_table(const std::vector<WorkloadTop>& rows);

}  // namespace dra::report
