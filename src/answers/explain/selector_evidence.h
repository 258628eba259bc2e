// src/answers/explain/selector_evidence.h
//
// Adds evidence to reasons about selectors: the part of the expression that rejects the device or
// fails, and the device's values in this part.

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/diag/reason.h"
#include "dra/engine/scheduler/demands.h"

namespace dra::answers {

// The part that rejects a device: the part that failed, or the first condition that is false. Falls
// back to the whole expression if the trace does not show it.
cel::Span deciding_part(const engine::Selector& selector, const cel::Trace& trace);

class SelectorEvidence {
 public:
  // Both must outlive this object.
  SelectorEvidence(const engine::Demands& demands, const engine::Inventory& inventory)
      : demands_(demands), inventory_(inventory) {}

  // Adds to a reason about a selector of this demand the deciding part and the values of the first
  // example. Other reasons stay unchanged.
  void add_to(diag::Reason& reason, const api::DeviceDemand& demand);

  // Splits a reason about one device: one copy for each condition of the selector that is false,
  // with that condition's values.
  std::vector<diag::Reason> by_condition(const diag::Reason& reason,
                                         const api::DeviceDemand& demand);

 private:
  struct Known {
    cel::Span span = {};
    std::vector<std::pair<std::string, std::string>> values = {};
  };

  struct About {
    // Nullptr: the reason is not about a selector, or the device is not known.
    const engine::SelectorAnswer* answer = nullptr;
    std::size_t device = 0;  // index in the fleet
  };

  About about(const diag::Reason& reason, const api::DeviceDemand& demand);
  const Known& known_of(const engine::SelectorAnswer& answer, std::size_t device);

  const engine::Demands& demands_;
  const engine::Inventory& inventory_;
  std::map<std::string, std::size_t, std::less<>> index_;  // device by id; built on first use
  // By selector and group of equal devices.
  std::map<std::pair<const engine::SelectorAnswer*, std::size_t>, Known> known_;
};

}  // namespace dra::answers
