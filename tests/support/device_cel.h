// tests/support/device_cel.h
//
// The environment in which the scheduler compiles selectors, and how large the parts of a device
// can be. Upstream: k8s.io/dynamic-resource-allocation/cel/compile.go.

#pragma once

#include <string_view>

#include "dra/cel/check/estimate.h"
#include "dra/cel/library/environment.h"

namespace dra::test {

inline cel::Environment make_device_environment(std::string_view attributes_type) {
  cel::Environment out;
  cel::TypeArena& arena = *out.arena;
  const cel::Type* device = arena.structure("kubernetes.DRADevice");
  const cel::Type* attributes = cel::parse_type(attributes_type, arena);
  const cel::Type* capacity =
      cel::parse_type("map(string, map(string, kubernetes.Quantity))", arena);
  out.variables = {{"device", device}};
  out.structures = {{device,
                     {{"driver", cel::basic(cel::TypeKind::String)},
                      {"attributes", attributes},
                      {"capacity", capacity},
                      {"allowMultipleAllocations", cel::basic(cel::TypeKind::Bool)}}}};
  return out;
}

// The one of stored expressions.
inline const cel::Environment& device_environment() {
  static const cel::Environment made = make_device_environment("map(string, map(string, dyn))");
  return made;
}

// The one of expressions that are stored anew, where attributes cannot be lists.
inline const cel::Environment& new_device_environment() {
  static const cel::Environment made = [] {
    cel::Environment out = make_device_environment("map(string, map(string, any))");
    out.release = 36;  // what the release before knows, so that it can be gone back to
    out.includes = false;
    return out;
  }();
  return made;
}

inline constexpr cel::SizeRow kDeviceSizes[] = {
    {"device", 0},
    {"device.driver", 63},
    {"device.allowMultipleAllocations", 1},
    {"device.attributes", 32},
    {"device.attributes.@keys", 63},
    {"device.attributes.@values", 32},
    {"device.attributes.@values.@keys", 32},
    {"device.attributes.@values.*", 64},
    {"device.capacity", 32},
    {"device.capacity.@keys", 63},
    {"device.capacity.@values", 32},
    {"device.capacity.@values.@keys", 32},
    {"device.capacity.@values.@values", 0},  // quantities have no size of their own
};

}  // namespace dra::test
