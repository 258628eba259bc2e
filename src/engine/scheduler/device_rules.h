// src/engine/scheduler/device_rules.h
//
// Why a device cannot serve a demand: the table of rules that the search asks for the first reason
// and an explanation for all.
//
// What holds whatever else is picked is found once for each device and demand of a node: a set of
// rules. What depends on the devices picked so far is asked again and again by the search, which
// notes what it met.

#pragma once

#include <cstdint>

#include "dra/diag/codes.h"
#include "src/engine/scheduler/constraint.h"

namespace dra::engine {

// In the order in which the allocator asks.
enum class Rule : std::uint8_t {
  InUse,             // by a claim
  InUseHere,         // picked before in this attempt
  BindingOff,        // it has binding conditions, and their gate is off
  ClassSelector,     // is false
  RequestSelector,   // is false
  NotOnNode,         // the device is for other nodes
  CapacityMissing,   //
  CapacityPolicy,    //
  CapacityShort,     //
  CapacityHere,      // devices picked before leave too little
  NodeOperations,    // the node's kubelet cannot skip them, or the gate is off
  CountersOff,       // it consumes counters, and their gate is off
  Groups,            // devices in use have no compatibility group in common with it
  GroupsHere,        // devices picked before have not
  Counters,          // devices in use leave too little
  CountersHere,      // devices picked before leave too little
  Taint,             // is not tolerated
  AttributeMissing,  // a constraint needs it
  ValueDiffers,      // from devices picked before
  NotDistinct,
};
inline constexpr std::size_t kRuleCount = 20;

// The code that reports give it.
diag::Code code_of(Rule rule);
// Of a constraint that objects.
Rule rule_of(Objection objection);

class Rules {
 public:
  bool has(Rule rule) const { return (bits_ & bit(rule)) != 0; }
  bool none() const { return bits_ == 0; }
  void add(Rule rule) { bits_ |= bit(rule); }
  void add(Rules rules) { bits_ |= rules.bits_; }
  void remove(Rule rule) { bits_ &= ~bit(rule); }
  std::uint32_t bits() const { return bits_; }
  friend bool operator==(const Rules&, const Rules&) = default;

 private:
  static std::uint32_t bit(Rule rule) { return std::uint32_t{1} << static_cast<unsigned>(rule); }

  std::uint32_t bits_ = 0;
};

}  // namespace dra::engine
