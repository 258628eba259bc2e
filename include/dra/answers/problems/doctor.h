// include/dra/answers/problems/doctor.h
//
// `kubectl dra doctor`: every problem in full. Also counts the checked objects, so that an answer
// without problems says something.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dra/answers/problems/problems.h"

namespace dra::answers {

struct Doctor {
  std::vector<Problem> problems;  // the worst first
  std::string namespace_;         // namespace of claims, pods and problems; empty: all
  struct Looked {
    std::string_view kind;  // of subjects: "DeviceClass"
    std::string_view one;   // "class"
    std::string_view many;
    std::int64_t count = 0;
    std::int64_t problems = 0;  // with a subject of the kind
  };
  std::vector<Looked> looked_at;  // readable kinds; the others are problems
  snapshot::Coverage coverage = {};

  // True if a problem is worse than a hint.
  bool found() const;
  // True if slices were read and none publishes a device. Then nothing can be wrong with devices,
  // so that "all is well" would claim more than was checked.
  bool has_no_devices() const;
};

// With a namespace, only problems of that namespace or of the whole cluster.
Doctor examine(const ClusterInput& cluster, std::string_view ns);

}  // namespace dra::answers
