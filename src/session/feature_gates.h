// src/session/feature_gates.h
//
// The feature gates that an API server tells among its metrics:
//
//   kubernetes_feature_enabled{name="DRAAdminAccess",stage=""} 1
//
// Metrics of a large cluster are many megabytes, of which these are a few lines that stand
// together: they are read as they arrive, and nothing else is kept.
//
// Upstream: k8s.io/component-base/metrics/prometheus/feature, and the text format of Prometheus.

#pragma once

#include <string>
#include <string_view>

#include "dra/session/client.h"

namespace dra::session {

class FeatureGateReader {
 public:
  // False once nothing more can come: the lines of one metric stand together.
  bool read(std::string_view bytes);
  // Those of DRA, in the server's order.
  FeatureGates take() { return std::move(gates_); }

 private:
  bool read_line(std::string_view line);

  std::string line_;       // the beginning of one
  bool too_long_ = false;  // that one, which then is none of ours
  bool begun_ = false;
  FeatureGates gates_;
};

}  // namespace dra::session
