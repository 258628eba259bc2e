// include/dra/engine/selectors/fleet.h
//
// Evaluates a selector for many devices. Devices that agree in everything that the expression reads
// share one evaluation: a fleet of 40,000 devices has a few dozen kinds.

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

// Consecutive devices of a fleet: some that lie one behind the other, or all of a slice.
struct FleetPart {
  std::string_view driver;
  std::span<const api::Device> devices;
  std::size_t first;             // index in the fleet
  const api::SliceModel* model;  // of the slice; may be nullptr
  std::uint64_t differs;         // bits of attributes that differ from the model
  std::size_t likeness = 0;      // of the first of them, if the slice has no model
  bool readable = true;          // all of them are

  Candidate operator[](std::size_t place) const { return {driver, &devices[place]}; }
};

class Fleet {
 public:
  Fleet() = default;
  explicit Fleet(std::span<const Candidate> devices);

  // Appends.
  void add(const Candidate& device);
  void add(const api::ResourceSlice& slice);

  std::size_t size() const { return size_; }
  const std::vector<FleetPart>& parts() const { return parts_; }
  Candidate operator[](std::size_t index) const;
  // False: no expression can be evaluated for the device; its answer says why.
  bool readable(std::size_t index) const { return unreadable_.empty() || !unreadable_[index]; }
  // What a device of a part is like, in all that a selector can read. A device without a model may
  // be like one of the fleet.
  api::Likeness likeness_of(const FleetPart& part, std::size_t place) const;

 private:
  void look_at(FleetPart& part, std::size_t from);  // at its devices from that index on
  api::Likeness find_likeness(const api::Device& device);

  std::vector<FleetPart> parts_;
  std::size_t size_ = 0;
  std::vector<api::Likeness> likenesses_;  // of devices in slices without a model
  api::RecentModels recent_;               // devices that have no model
  std::size_t remembered_ = 0;             // so many of them were there
  FlawFinder flaws_;
  std::vector<bool> unreadable_;  // empty: all are readable
};

// Devices that share an answer.
struct AnswerGroup {
  std::size_t first;  // index of the first of them in the fleet
  std::size_t count;
  Answer answer;
};

class FleetAnswer {
 public:
  // The selector must have a program.
  FleetAnswer(const Selector& selector, const Fleet& fleet);

  // In the order of their first devices.
  const std::vector<AnswerGroup>& groups() const { return groups_; }
  const Answer& of(std::size_t device) const { return groups_[group_of_[device]].answer; }
  std::size_t group_of(std::size_t device) const { return group_of_[device]; }
  std::size_t matches() const;
  std::size_t failures() const;
  // The bits of the attributes on which the answers for slices with that model depend. Some part of
  // the fleet must have the model.
  std::uint64_t places_read(const api::SliceModel& model) const;

 private:
  std::unordered_map<const api::SliceModel*, std::uint64_t> places_read_;
  std::vector<AnswerGroup> groups_;
  std::vector<std::uint32_t> group_of_;
};

}  // namespace dra::engine
