// include/dra/engine/selectors/selection.h
//
// Which devices several selectors choose together, in the scheduler's order: those of the class,
// then those of the request. The first selector that is false rejects the device; one that fails,
// or does not compile, ends the attempt for the whole pod.
//
// Upstream: k8s.io/dynamic-resource-allocation/structured/internal/incubating, selectorsMatch.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/api/claim.h"
#include "dra/engine/cluster/inventory.h"
#include "dra/engine/selectors/clause_table.h"
#include "dra/engine/selectors/fleet.h"

namespace dra::engine {

// One selector and its answers for a fleet.
struct SelectorAnswer {
  Selector selector;
  std::optional<FleetAnswer> devices;  // no value: it does not compile
};

// Why the selector fails for a device of the fleet; nullptr: it does not.
const Failure* failure_for(const SelectorAnswer& answer, std::size_t device);

// The answers of selectors for one fleet. Each text is compiled and evaluated once, at its first
// use.
class Answers {
 public:
  Answers(Fleet fleet, const Language& language) : fleet_(std::move(fleet)), language_(language) {}

  const Fleet& fleet() const { return fleet_; }
  // Valid as long as this object.
  const SelectorAnswer& of(std::string_view expression);
  // The table of its conditions. No value if it does not compile, or there are too many kinds of
  // devices.
  const std::optional<ClauseTable>& clauses_of(std::string_view expression);

 private:
  Fleet fleet_;
  Language language_;
  std::map<std::string, std::unique_ptr<SelectorAnswer>, std::less<>> known_;
  std::map<std::string, std::optional<ClauseTable>, std::less<>> clauses_;
};

// The expressions in their order: those of a class first, `then` those of the request.
std::vector<std::string_view> expressions_of(const std::vector<api::DeviceSelector>& selectors,
                                             const std::vector<api::DeviceSelector>& then = {});

// The devices as a fleet, in their order. `published` gets the PoolDevice of one.
template <class Devices, class Published = std::identity>
Fleet fleet_of(const Devices& devices, Published published = {}) {
  Fleet fleet;
  for (const auto& device : devices) {
    const PoolDevice& one = std::invoke(published, device);
    fleet.add(Candidate{one.slice->spec.driver, one.device});
  }
  return fleet;
}

// For all devices of an inventory, in its order, in the language of that server's scheduler. The
// inventory must outlive the answers.
Answers answers_for(const Inventory& inventory, const snapshot::Server& server);

enum class Outcome : std::uint8_t {
  Chosen,      // every selector is true
  PassedOver,  // one is false, all before it are true
  Failed,      // one fails, and all before it are true
};

// Counts for one of the selectors: alone, and after those before it.
struct SelectorCount {
  const SelectorAnswer* answer = nullptr;
  std::size_t alone = 0;    // devices for which it is true
  std::size_t reached = 0;  // devices for which all before it are true
  std::size_t after = 0;    // of these, those for which it is true as well
  std::size_t failed = 0;   // of these, those for which it fails
};

struct Selection {
  std::vector<SelectorCount> selectors;
  std::vector<Outcome> devices;  // by device of the fleet
  std::size_t chosen = 0;
  std::size_t failed = 0;

  // Without selectors every device is chosen.
  bool compiles() const;
};
Selection choose(Answers& answers, std::span<const std::string_view> expressions);
Selection choose(Answers& answers, const std::vector<api::DeviceSelector>& selectors);

// Devices for which the same selector fails with the same error.
struct FailureGroup {
  std::size_t selector;  // index
  const Failure* failure;
  std::vector<std::size_t> devices;  // of the fleet, in its order
};
// In the order of their first devices. A selector that does not compile is only in it if some
// device gets as far. Valid as long as the answers.
std::vector<FailureGroup> failures_of(const Selection& selection);

}  // namespace dra::engine
