// include/dra/report/doctor/doctor.h
//
// `kubectl dra doctor`: every problem in full, with its meaning and its remedy. Also counts the
// checked objects, so that an answer without problems says something.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dra/report/doctor/overview.h"

namespace dra::report {

struct Doctor {
  std::vector<Problem> problems;  // the worst first
  std::string namespace_;         // namespace of claims, pods and problems; empty: all
  struct Looked {
    std::string_view one;  // "class"
    std::string_view many;
    std::int64_t count;
  };
  std::vector<Looked> looked_at;  // readable kinds; the others are problems

  // True if a problem is worse than a hint.
  bool found() const;
};

// With a namespace, only problems of that namespace or of the whole cluster.
Doctor examine(const Scene& scene, std::string_view ns);

json::Value to_json(const Doctor& doctor, const Scene& scene, const OverviewSource& source);
view::Document to_view(const Doctor& doctor, const OverviewSource& source);

}  // namespace dra::report
