// include/dra/checks/lint/known_attributes.h
//
// What drivers publish of their devices, as far as it is known. Releases differ, and slices are the
// truth: whatever rests on this is no more than a hint.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/checks/lint/lint.h"
#include "dra/engine/selectors/selector.h"

namespace dra::checks {

enum class AttributeKind : char { Bool = 'b', Int = 'i', String = 's', Version = 'v' };

struct KnownAttribute {
  std::string_view name;
  AttributeKind kind;
  // Of the driver's own classes that of which all devices have it; empty: every device of the
  // driver has it, or it is not known which.
  std::string_view only_class = {};
};

struct KnownDriver {
  std::string_view name;
  std::span<const KnownAttribute> attributes;
  std::span<const std::string_view> capacities;
  std::span<const std::string_view> classes;  // that its charts install
};

// nullptr: nothing is known of it.
const KnownDriver* known_driver(std::string_view name);

// What a selector seems to mistake in the attributes and capacities of drivers that are known.
// `device_class` is the request's, or empty.
std::vector<SelectorLint> mistaken_attributes(const engine::Selector& selector,
                                              std::string_view device_class);

}  // namespace dra::checks
