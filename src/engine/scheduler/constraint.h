// src/engine/scheduler/constraint.h
//
// The state of a claim's constraint while devices are picked: all have the same value of an
// attribute (matchAttribute), or no two have (distinctAttribute). Where attributes may be lists, a
// device has several values: then all devices must have one in common, or no two may.
//
// Upstream: k8s.io/dynamic-resource-allocation/structured/internal/experimental,
// matchAttributeConstraint and distinctAttributeConstraint. If both are set, only matchAttribute
// counts. Kept as there: without lists, a device whose attribute is a list matches only alone, and
// is distinct from those that come after it.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "dra/api/claim.h"
#include "dra/engine/facts/device_attribute.h"

namespace dra::engine {

enum class Objection : std::uint8_t {
  None,
  Missing,      // the device does not have the attribute
  Differs,      // its value is not that of the devices before
  NotDistinct,  // a device before has the same value
};

// How a release treats list attributes.
enum class Lists : std::uint8_t {
  Unknown,   // not supported
  Narrowed,  // common values stay narrowed when the search goes back (1.36)
  AsSets,
};

// How a release remembers devices that must be distinct.
enum class Memory : std::uint8_t {
  OfEach,
  // Only the last device of each request; when it is returned, none of that request (until 1.36).
  LastOfRequest,
  // The same, and values are compared by address, so that a device is only equal to itself (1.34).
  ByPlace,
};

class ConstraintState {
 public:
  ConstraintState(const api::Constraint& constraint, Lists lists, Memory memory)
      : constraint_(&constraint), lists_(lists), memory_(memory) {}

  const api::Constraint& constraint() const { return *constraint_; }
  bool matching() const { return !constraint_->match_attribute.empty(); }
  std::string_view attribute() const {
    return matching() ? constraint_->match_attribute : constraint_->distinct_attribute;
  }
  // Whether it concerns a demand: it names the request, or "request/alternative", or none.
  bool applies_to(std::string_view request, std::string_view full_name) const;

  // Adds the attribute of a device for a request unless there is an objection. Each one added must
  // be removed, the last one of the request first.
  Objection add(const api::DeviceAttribute* attribute, std::string_view request);
  void remove(std::string_view request);
  // Whether devices that were returned may still count.
  bool forgets() const {
    return matching() ? lists_ == Lists::Narrowed : memory_ != Memory::OfEach;
  }

 private:
  // The values of an attribute, of one type.
  struct Values {
    api::DeviceAttribute::Kind kind = api::DeviceAttribute::Kind::None;  // that of one value
    std::vector<std::int64_t> numbers = {};                              // Int and Bool
    std::vector<std::string_view> texts = {};                            // String and Version

    bool empty() const { return numbers.empty() && texts.empty(); }
  };

  static Values values_of(const api::DeviceAttribute& attribute);
  static Values common(const Values& a, const Values& b);
  Objection match(const api::DeviceAttribute& attribute);
  Objection match_lists(const api::DeviceAttribute& attribute);
  Objection differ(const api::DeviceAttribute& attribute) const;
  bool is_like(const api::DeviceAttribute& attribute, const api::DeviceAttribute& before) const;

  struct Device {
    std::string_view request;
    const api::DeviceAttribute* attribute;  // nullptr: forgotten
  };
  void remember(std::string_view request, const api::DeviceAttribute& attribute);

  const api::Constraint* constraint_;
  Lists lists_;
  Memory memory_;
  std::vector<Device> taken_;
  std::vector<Values> common_;  // after each that was taken
};

}  // namespace dra::engine
