// include/dra/render/openmetrics.h
//
// Figures for Prometheus, in the text format of OpenMetrics, with names as those of
// kube-state-metrics: kube_dra_OBJECT_FIGURE. Made from the JSON of a Top or a Doctor report. All
// are gauges, as a report is of one moment. What could not be read has no sample.
//
//   kube_dra_driver_devices{driver="gpu.nvidia.com",state="free"} 4

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dra/json/value.h"

namespace dra::render {

struct MetricSample {
  std::vector<std::pair<std::string, std::string>> labels;  // names are ours, values untrusted
  std::string value;                                        // a number
};

struct MetricFamily {
  std::string name;
  std::string help;
  std::vector<MetricSample> samples = {};
};

// Of a Top report: devices of each driver, class, node or node pool by state, and the largest
// request; or claims, pods and devices of each namespace.
std::vector<MetricFamily> top_metrics(const json::Value& report);

// Of an IdleDevices report: idle devices, and how long they have been idle.
std::vector<MetricFamily> idle_metrics(const json::Value& report);
// Of a Doctor report: problems by code and severity, and how much was looked at.
std::vector<MetricFamily> doctor_metrics(const json::Value& report);

// Families without samples are left out. Ends with `# EOF`.
std::string to_openmetrics(const std::vector<MetricFamily>& families);

}  // namespace dra::render
