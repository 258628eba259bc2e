// include/dra/report/lists/list_classes.h
//
// `kubectl dra classes`: how many devices each class matches, and how many of them are free.

#pragma once

#include <span>

#include "dra/engine/selectors/class_counts.h"
#include "dra/report/lists/list.h"

namespace dra::report {

view::Document classes_view(std::span<const engine::ClassCounts> classes,
                            const ListOptions& options);

}  // namespace dra::report
