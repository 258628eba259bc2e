// include/dra/checks/lint/known_attributes.h
//
// Attributes and capacities that known drivers publish. Releases differ and only slices are
// certain, so findings that rest on this are hints.

#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/cel/hints/changes.h"
#include "dra/checks/lint/lint.h"
#include "dra/engine/selectors/selector.h"

namespace dra::checks {

// Attributes that drivers share: k8s.io/dynamic-resource-allocation/deviceattribute.
inline constexpr std::string_view kStandardDomain = "resource.kubernetes.io";
inline constexpr std::array<std::string_view, 3> kStandardAttributes = {"numaNode", "pciBusID",
                                                                        "pcieRoot"};

enum class AttributeKind : char { Bool = 'b', Int = 'i', String = 's', Version = 'v' };

struct KnownAttribute {
  std::string_view name;
  AttributeKind kind;
  // The driver's own class whose devices all have it. Empty: all devices of the driver have it, or
  // the class is not known.
  std::string_view only_class = {};
};

struct KnownDriver {
  std::string_view name;
  std::span<const KnownAttribute> attributes;
  std::span<const std::string_view> capacities;
  std::span<const std::string_view> classes;  // that its Helm charts install
};

// nullptr: the driver is not known.
const KnownDriver* known_driver(std::string_view name);

// What the devices of a class may have. Empty if it is no class of a known driver.
std::vector<cel::KnownName> names_of_class(std::string_view device_class);

// Likely mistakes of a selector about attributes and capacities of known drivers. `device_class` is
// the request's, or empty.
std::vector<SelectorLint> mistaken_attributes(const engine::Selector& selector,
                                              std::string_view device_class);

}  // namespace dra::checks
