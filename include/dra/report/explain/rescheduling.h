// include/dra/report/explain/rescheduling.h
//
// Presents where the pods that have devices could go if each had to start once more.

#pragma once

#include <string>

#include "dra/answers/explain/rescheduling.h"
#include "dra/json/value.h"
#include "dra/view/document.h"

namespace dra::report {

json::Value to_json(const answers::Rescheduling& all);

// `program` and `flags` enclose each proposed command.
struct ReschedulingViewOptions {
  bool wide = false;  // every cause, and every pod and node
  std::string program = "kubectl dra";
  std::string flags = {};
};
view::Document to_view(const answers::Rescheduling& all, const ReschedulingViewOptions& options);

}  // namespace dra::report
