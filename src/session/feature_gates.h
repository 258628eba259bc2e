// src/session/feature_gates.h
//
// The feature gates among the metrics of an API server:
//
//   kubernetes_feature_enabled{name="DRAAdminAccess",stage=""} 1
//
// The metrics of a large cluster are many megabytes, of which these are a few consecutive lines.
// They are read as they arrive, and nothing else is kept.
//
// Upstream: k8s.io/component-base/metrics/prometheus/feature, and the text format of Prometheus.

#pragma once

#include <string>
#include <string_view>

#include "dra/session/client.h"

namespace dra::session {

class FeatureGateReader {
 public:
  // False once no more can follow: the lines of one metric are consecutive.
  bool read(std::string_view bytes);
  // Those of DRA, in the server's order.
  FeatureGates take() { return std::move(gates_); }

 private:
  bool read_line(std::string_view line);

  std::string line_;       // the beginning of one
  bool too_long_ = false;  // that line, which then is no gate
  bool begun_ = false;
  FeatureGates gates_;
};

}  // namespace dra::session
