// src/engine/scheduler/rules/rule.h
//
// The rules by which a device is rejected for a demand, as names and as sets. rules.def lists them;
// device_rule.h says what each one does.
//
// A rule is one of two kinds. Most hold whatever else is picked: they are judged once for each
// device and demand of a node. The others depend on the devices picked before: the search asks them
// again and again, and notes what it met.

#pragma once

#include <cstdint>
#include <iterator>

#include "dra/diag/codes.h"

namespace dra::engine {

enum class Rule : std::uint8_t {
#define DRA_DEVICE_RULE(name, code, place) name,
#include "src/engine/scheduler/rules/rules.def"
#undef DRA_DEVICE_RULE
};

inline constexpr Rule kRules[] = {
#define DRA_DEVICE_RULE(name, code, place) Rule::name,
#include "src/engine/scheduler/rules/rules.def"
#undef DRA_DEVICE_RULE
};
inline constexpr std::size_t kRuleCount = std::size(kRules);

// Where the reason of a rule stands among those of its demand; of one place, in the order of
// rules.def.
enum class ReasonPlace : std::uint8_t {
  First,
  Feature,   // a gate is off, or the node cannot do it
  Amount,    // too little is left, or a constraint does not hold
  Last,      // other requests of the same pod need the device
  WithNode,  // not among them: the node's own reasons say it
};

// The code that reports give the rule.
diag::Code code_of(Rule rule);

class Rules {
 public:
  bool has(Rule rule) const { return (bits_ & bit(rule)) != 0; }
  bool has_any(Rules rules) const { return (bits_ & rules.bits_) != 0; }
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
static_assert(kRuleCount <= 32, "a set of rules has 32 bits");

}  // namespace dra::engine
