// include/dra/checks/lint/selector_lint.h
//
// What a selector looks for and can never find, whatever devices there are. The API server takes
// it; it is false for every device, or fails, and then the scheduler gives up on the pod.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dra/diag/codes.h"
#include "dra/engine/selectors/selector.h"

namespace dra::checks {

struct SelectorLint {
  std::string message;  // with the part of the expression that it is about
  std::string fix;      // what to write instead
  diag::Code code = diag::Code::SelectorPathUnknown;
  bool certain = true;  // else it rests on what is known of a driver
};

// Each of them once, in the order of the text. None for what does not compile.
std::vector<SelectorLint> lint_selector(const engine::Selector& selector);

}  // namespace dra::checks
