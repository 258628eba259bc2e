// src/engine/scheduler/demands.cpp: evaluates each demand for two fleets, the devices of the
// inventory and all others, since a node may see an older generation of a pool.

#include "dra/engine/scheduler/demands.h"

#include "dra/api/device_class.h"

namespace dra::engine {

std::vector<Demands::Place> Demands::places_of(const snapshot::Snapshot& snapshot,
                                               const Inventory& inventory) {
  const DeviceNumbers& numbers = inventory.numbers();
  std::vector<Place> places(numbers.slices());
  std::size_t index = 0;
  for (const Pool& pool : inventory.pools()) {
    for (const api::ResourceSlice* slice : pool.slices) {
      places[numbers.of(*slice)] = {true, index};
      index += slice->spec.devices.size();
    }
  }
  std::size_t others = 0;
  for (const api::ResourceSlice& slice : snapshot.all<api::ResourceSlice>()) {
    Place& place = places[numbers.of(slice)];
    if (place.in_inventory) continue;
    place.index = others;
    others += slice.spec.devices.size();
  }
  return places;
}

// The devices of slices that are not of their pool's newest generation, or that are ignored.
Fleet Demands::others_of(const snapshot::Snapshot& snapshot) const {
  Fleet others;
  for (const api::ResourceSlice& slice : snapshot.all<api::ResourceSlice>()) {
    if (!knows(slice)) others.add(slice);
  }
  return others;
}

Demands::Demands(const snapshot::Snapshot& snapshot, const Inventory& inventory,
                 const Subject& subject, const ClassOverrides& instead)
    : numbers_(inventory.numbers()),
      answers_(answers_for(inventory, snapshot.server())),
      places_(places_of(snapshot, inventory)),
      others_(others_of(snapshot), language_of(snapshot.server(), Expressions::Stored)) {
  for_each_unmet(subject, [&](const SubjectClaim&, const api::DeviceRequest& request) {
    for (const api::NamedDemand& named : api::demands_of(request)) {
      const std::string_view name = named.demand->device_class;
      const auto other = instead.find(name);
      ask(*named.demand,
          other != instead.end() ? other->second : snapshot.find<api::DeviceClass>(name));
    }
  });
}

void Demands::ask(const api::DeviceDemand& demand, const api::DeviceClass* device_class) {
  if (device_class == nullptr) return;
  const auto& of_class = device_class->spec.selectors;
  const auto expressions = expressions_of(of_class, demand.selectors);
  asked_.emplace(&demand, Demanded{of_class.size(), choose(answers_, expressions),
                                   choose(others_, expressions)});
}

const Selection* Demands::of(const api::DeviceDemand& demand) const {
  const auto asked = asked_.find(&demand);
  return asked == asked_.end() ? nullptr : &asked->second.selection;
}

std::size_t Demands::of_class(const api::DeviceDemand& demand) const {
  const auto asked = asked_.find(&demand);
  return asked == asked_.end() ? 0 : asked->second.of_class;
}

std::optional<ClauseTable> Demands::clauses_of(const api::DeviceDemand& demand) const {
  const Selection* selection = of(demand);
  if (selection == nullptr || !selection->compiles()) return std::nullopt;
  std::vector<Asked> asked;
  for (const SelectorCount& count : selection->selectors)
    asked.push_back({&count.answer->selector, &*count.answer->devices});
  return clause_table(fleet(), asked);
}

std::optional<Outcome> Demands::outcome(const api::DeviceDemand& demand,
                                        const PoolDevice& device) const {
  const auto asked = asked_.find(&demand);
  if (asked == asked_.end()) return std::nullopt;
  const Place place = place_of(device);
  const Selection& selection = place.in_inventory ? asked->second.selection : asked->second.others;
  return selection.devices[place.index];
}

bool Demands::add_answers(const PoolDevice& device, std::vector<std::uint32_t>& out) const {
  const Place place = place_of(device);
  if (!place.in_inventory) return false;
  for (const auto& [demand, asked] : asked_) {
    for (const SelectorCount& count : asked.selection.selectors) {
      const auto& devices = count.answer->devices;
      out.push_back(devices ? static_cast<std::uint32_t>(devices->group_of(place.index)) : 0);
    }
  }
  return true;
}

std::optional<Said> Demands::Demanded::answer_of(const Selection& by, std::size_t number,
                                                 std::size_t device) const {
  const SelectorAnswer& answer = *by.selectors[number].answer;
  const Failure* failure = failure_for(answer, device);
  if (failure == nullptr && answer.devices->of(device).matches) return std::nullopt;
  return Said{.outcome = failure != nullptr ? Outcome::Failed : Outcome::PassedOver,
              .failure = failure,
              .compiles = answer.devices.has_value(),
              .of_class = number < of_class,
              .selector = number < of_class ? number : number - of_class,
              .expression = answer.selector.expression()};
}

std::uint64_t Demands::places_read(const api::SliceModel& model) const {
  std::uint64_t places = 0;
  for (const auto& [demand, asked] : asked_) {
    for (const SelectorCount& count : asked.selection.selectors) {
      if (count.answer->devices) places |= count.answer->devices->places_read(model);
    }
  }
  return places;
}

std::optional<Said> Demands::said(const api::DeviceDemand& demand, const PoolDevice& device) const {
  const auto asked = asked_.find(&demand);
  if (asked == asked_.end()) return std::nullopt;
  const auto [in_inventory, index] = place_of(device);
  const Selection& selection = in_inventory ? asked->second.selection : asked->second.others;
  if (selection.devices[index] == Outcome::Chosen) return Said{};
  for (std::size_t i = 0; i < selection.selectors.size(); ++i) {
    if (const auto said = asked->second.answer_of(selection, i, index)) return said;
  }
  return Said{.outcome = selection.devices[index]};
}

std::vector<Said> Demands::objections(const api::DeviceDemand& demand,
                                      const PoolDevice& device) const {
  std::vector<Said> all;
  const auto asked = asked_.find(&demand);
  if (asked == asked_.end()) return all;
  const auto [in_inventory, index] = place_of(device);
  const Selection& selection = in_inventory ? asked->second.selection : asked->second.others;
  for (std::size_t i = 0; i < selection.selectors.size(); ++i) {
    const auto said = asked->second.answer_of(selection, i, index);
    if (!said || (said->outcome == Outcome::Failed && !all.empty())) continue;
    all.push_back(*said);
    if (said->outcome == Outcome::Failed) break;
  }
  return all;
}

}  // namespace dra::engine
