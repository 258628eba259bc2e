// include/dra/report/diff/diff_report.h
//
// Presents the differences between two states of a cluster as JSON and as text: for `kubectl dra
// diff`, and for one subject for `kubectl dra explain --compare`.

#pragma once

#include "dra/answers/diff/comparison.h"
#include "dra/answers/diff/diff.h"
#include "dra/json/value.h"
#include "dra/view/document.h"

namespace dra::report {

json::Value to_json(const answers::Diff& diff);
// `wide`: everything is shown, nothing is folded.
view::Document to_view(const answers::Diff& diff, bool wide);

json::Value to_json(const answers::Comparison& comparison);
view::Document to_view(const answers::Comparison& comparison);

}  // namespace dra::report
