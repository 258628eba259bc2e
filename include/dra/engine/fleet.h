// include/dra/engine/fleet.h
//
// What a selector says of many devices. Devices that agree in everything the expression reads get
// one evaluation: a fleet of 40,000 devices has a few dozen kinds.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/engine/selector.h"

namespace dra::engine {

struct Candidate {
  std::string_view driver;
  const api::Device* device;  // outlives the fleet
};

class Fleet {
 public:
  explicit Fleet(std::vector<Candidate> devices);

  std::size_t size() const { return devices_.size(); }
  const Candidate& operator[](std::size_t index) const { return devices_[index]; }
  // Else no expression at all can be evaluated for it; the answer says why.
  bool readable(std::size_t index) const { return readable_[index]; }

 private:
  std::vector<Candidate> devices_;
  std::vector<bool> readable_;
};

// Devices with the same answer.
struct AnswerGroup {
  std::size_t first;  // index of one of them, the first in the fleet's order
  std::size_t count;
  Answer answer;
};

class FleetAnswer {
 public:
  // The selector must have a program.
  FleetAnswer(const Selector& selector, const Fleet& fleet);

  // In the order in which they first appear.
  const std::vector<AnswerGroup>& groups() const { return groups_; }
  const Answer& of(std::size_t device) const { return groups_[group_of_[device]].answer; }
  std::size_t group_of(std::size_t device) const { return group_of_[device]; }
  std::size_t matches() const;
  std::size_t failures() const;

 private:
  std::vector<AnswerGroup> groups_;
  std::vector<std::uint32_t> group_of_;
};

}  // namespace dra::engine
