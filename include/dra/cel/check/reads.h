// include/dra/cel/check/reads.h
//
// What an expression reads of a variable. A selector looks at a few attributes only, so devices
// that agree on these need one evaluation: 90,000 devices are a few hundred groups.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dra/cel/check/checker.h"

namespace dra::cel {

// Keys and fields from the variable down: {"driver"}, {"attributes", "gpu.nvidia.com", "type"}.
// Everything below the last key is read; without keys that is the variable itself. Of a presence
// only whether the last key is there: has(x.y), "y" in x.
struct Read {
  std::vector<std::string> keys = {};
  bool presence = false;

  friend bool operator==(const Read&, const Read&) = default;
};

// All that the expression may read of the variable with this name: sorted, and none within another.
// Empty if it does not depend on the variable. The expression must have been checked without
// issues.
//
// Whatever two values of the variable agree on in every read gives the same result, errors and
// their texts included. They agree on a read if going down its keys finds the same (not only equal:
// quantity("1k") is not quantity("1000m")), or nothing in either. On the way down a map that has a
// fallback may be taken to have it for keys that it lacks; without one both must end at the same
// key. At the last key nothing is nothing, whatever the map would fall back to. Only maps of maps
// may have one.
//
// Reads are no more precise than is cheap to know: a map is read whole when it is iterated,
// compared, passed to a function or indexed with a key that is not a literal, and a value of type
// dyn is read whole when something goes into it. Both branches of ?: and values bound but not used
// count.
std::vector<Read> reads_of(const Checked& checked, std::string_view variable);

}  // namespace dra::cel
