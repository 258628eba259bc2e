// include/dra/report/doctor/doctor.h
//
// `kubectl dra doctor`: every problem in full, with what it means and what to do, and how much was
// looked at, so that a clean answer says something.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dra/report/doctor/overview.h"

namespace dra::report {

struct Doctor {
  std::vector<Problem> problems;  // worst first
  std::string namespace_;         // that claims, pods and problems are of; empty: all
  struct Looked {
    std::string_view one;  // "class"
    std::string_view many;
    std::int64_t count;
  };
  std::vector<Looked> looked_at;  // kinds that could not be read are problems instead

  // Whether something is worse than a hint.
  bool found() const;
};

// With a namespace, only what concerns it or the whole cluster.
Doctor examine(const Scene& scene, std::string_view ns);

json::Value to_json(const Doctor& doctor, const Scene& scene, const OverviewSource& source);
view::Document to_view(const Doctor& doctor, const OverviewSource& source);

}  // namespace dra::report
