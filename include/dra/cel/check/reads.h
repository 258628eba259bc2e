// include/dra/cel/check/reads.h
//
// Which parts of a variable an expression reads. A selector reads a few attributes only, so devices
// that agree on these need one evaluation: 90,000 devices are a few hundred groups.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dra/cel/check/checker.h"

namespace dra::cel {

// Keys and fields from the variable down: {"driver"}, {"attributes", "gpu.nvidia.com", "type"}.
// Everything below the last key is read; without keys, the whole variable. A presence read only
// covers whether the last key exists: has(x.y), "y" in x.
struct Read {
  std::vector<std::string> keys = {};
  bool presence = false;

  friend bool operator==(const Read&, const Read&) = default;
};

// All parts of the variable with this name that the expression may read: sorted, none within
// another, empty if the result does not depend on the variable. The expression must be checked and
// free of issues.
//
// Guarantee: two values of the variable that agree on every read give the same result, including
// errors and their texts. They agree on a read if following its keys finds the same value in both
// (not only an equal one: quantity("1k") is not quantity("1000m")), or no value in either. On the
// way down, a map with a fallback may be taken to have the fallback under keys that it does not
// have; without a fallback, both must end at the same key. At the last key a missing value is
// missing, whatever the fallback. Only maps of maps may have a fallback.
//
// Reads are only as precise as is cheap to find out: a map counts as read whole if it is iterated,
// compared, passed to a function or indexed with a key that is not a literal; a value of type dyn
// counts as read whole if anything below it is read. Both branches of ?: count, and so do values
// that are bound and not used.
std::vector<Read> reads_of(const Checked& checked, std::string_view variable);

}  // namespace dra::cel
