// include/dra/engine/selectors/selection.h
//
// Which devices several selectors choose together, as the scheduler asks them: those of the class
// in their order, then those of the request. The first that is not true ends it for the device; one
// that fails, or does not compile, ends the search for the whole pod.
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

// One selector and what it says of a fleet.
struct SelectorAnswer {
  Selector selector;
  std::optional<FleetAnswer> devices;  // none if it does not compile
};

// Why a selector fails for a device of the fleet; nullptr if it does not.
const Failure* failure_for(const SelectorAnswer& answer, std::size_t device);

// What selectors say of one fleet: each text is compiled and evaluated once, when it is first asked
// for.
class Answers {
 public:
  Answers(Fleet fleet, const Language& language) : fleet_(std::move(fleet)), language_(language) {}

  const Fleet& fleet() const { return fleet_; }
  // Good as long as this object.
  const SelectorAnswer& of(std::string_view expression);
  // Its conditions. Nothing if it does not compile, or devices are of too many kinds.
  const std::optional<ClauseTable>& clauses_of(std::string_view expression);

 private:
  Fleet fleet_;
  Language language_;
  std::map<std::string, std::unique_ptr<SelectorAnswer>, std::less<>> known_;
  std::map<std::string, std::optional<ClauseTable>, std::less<>> clauses_;
};

// As they stand there; those of a class come before a request's own.
std::vector<std::string_view> expressions_of(const std::vector<api::DeviceSelector>& selectors,
                                             const std::vector<api::DeviceSelector>& then = {});

// Of devices in their order. `published` is how to come from one to its PoolDevice.
template <class Devices, class Published = std::identity>
Fleet fleet_of(const Devices& devices, Published published = {}) {
  Fleet fleet;
  for (const auto& device : devices) {
    const PoolDevice& one = std::invoke(published, device);
    fleet.add(Candidate{one.slice->spec.driver, one.device});
  }
  return fleet;
}

// Of all devices of an inventory, in its order, as the scheduler of that server asks. The inventory
// must outlive the answers.
Answers answers_for(const Inventory& inventory, const snapshot::Server& server);

enum class Outcome : std::uint8_t {
  Chosen,      // every selector is true
  PassedOver,  // one is false, and none before it fails
  Failed,      // one fails, and all before it are true
};

// One of the selectors. What only this one says, and what it leaves of those before it.
struct SelectorCount {
  const SelectorAnswer* answer = nullptr;
  std::size_t alone = 0;    // devices for which it is true
  std::size_t reached = 0;  // devices for which all before it are true
  std::size_t after = 0;    // of these, those for which it is true as well
  std::size_t failed = 0;   // of these, those for which it fails
};

struct Selection {
  std::vector<SelectorCount> selectors;
  std::vector<Outcome> devices;  // of each in the fleet
  std::size_t chosen = 0;
  std::size_t failed = 0;

  // Without selectors every device is chosen.
  bool compiles() const;
};
Selection choose(Answers& answers, std::span<const std::string_view> expressions);
Selection choose(Answers& answers, const std::vector<api::DeviceSelector>& selectors);

// Devices for which the same selector fails in the same way.
struct FailureGroup {
  std::size_t selector;  // index
  const Failure* failure;
  std::vector<std::size_t> devices;  // of the fleet, in its order
};
// In the order in which they first appear. Without devices that reach it, a selector that does not
// compile is not among them. Good as long as the answers.
std::vector<FailureGroup> failures_of(const Selection& selection);

}  // namespace dra::engine
