// include/dra/engine/selectors/part_values.h: what the parts of a selector come to for one device.

#pragma once

#include <string>
#include <vector>

#include "dra/cel/run/trace.h"
#include "dra/engine/selectors/selector.h"

namespace dra::engine {

// A part of an expression, and its value in CEL's notation: a quoted string, or the message of an
// error.
struct PartValue {
  std::string text;
  std::string value;
};
// Every part with a value that its own parts do not already show: constants, maps and logical
// operators are left out. In the order of the text, each text once.
std::vector<PartValue> part_values(const Selector& selector, const cel::Trace& trace);

}  // namespace dra::engine
