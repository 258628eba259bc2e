// include/dra/engine/selectors/fleet.h
//
// What a selector says of many devices. Devices that agree in everything the expression reads get
// one evaluation: a fleet of 40,000 devices has a few dozen kinds.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dra/engine/selectors/selector.h"

namespace dra::engine {

struct Candidate {
  std::string_view driver;
  const api::Device* device;  // outlives the fleet
};

// Neighbours in a fleet: one device, or all of a slice.
struct FleetPart {
  std::string_view driver;
  std::span<const api::Device> devices;
  std::size_t first;             // index in the fleet
  const api::SliceModel* model;  // of the slice; may be nullptr
  std::uint64_t differs;         // from the model
  bool readable = true;          // each of them is

  Candidate operator[](std::size_t place) const { return {driver, &devices[place]}; }
};

class Fleet {
 public:
  Fleet() = default;
  explicit Fleet(std::span<const Candidate> devices);

  // Behind those that are there.
  void add(const Candidate& device);
  void add(const api::ResourceSlice& slice);

  std::size_t size() const { return size_; }
  const std::vector<FleetPart>& parts() const { return parts_; }
  Candidate operator[](std::size_t index) const;
  // Else no expression at all can be evaluated for it; the answer says why.
  bool readable(std::size_t index) const { return unreadable_.empty() || !unreadable_[index]; }

 private:
  void note_flaws(FleetPart& part);

  std::vector<FleetPart> parts_;
  std::size_t size_ = 0;
  FlawFinder flaws_;
  std::vector<bool> unreadable_;  // empty: none is
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
  // The places of attributes that decide what is said of slices with that model, which some part of
  // the fleet has.
  std::uint64_t places_read(const api::SliceModel& model) const;

 private:
  std::unordered_map<const api::SliceModel*, std::uint64_t> places_read_;
  std::vector<AnswerGroup> groups_;
  std::vector<std::uint32_t> group_of_;
};

}  // namespace dra::engine
