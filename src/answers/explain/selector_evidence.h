// src/answers/explain/selector_evidence.h
//
// Adds evidence to reasons about selectors: the part of the expression that rejects the device or
// fails, and the values of the device that this part reads.

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/diag/reason.h"
#include "dra/engine/scheduler/demands.h"

namespace dra::answers {

// The part of the expression that rejects a device: the part that failed, or the first condition
// that is false. The whole expression if that is not known.
cel::Span deciding_part(const engine::Selector& selector, const cel::Trace& trace);

class SelectorEvidence {
 public:
  // Both must outlive this object.
  SelectorEvidence(const engine::Demands& demands, const engine::Inventory& inventory)
      : demands_(demands), inventory_(inventory) {}

  // Adds the part of the selector and the values of the first example to a reason about a selector
  // of this demand. Other reasons do not change.
  void add_to(diag::Reason& reason, const api::DeviceDemand& demand);

  // For a reason about one device: a copy for each condition of the selector that is false, with
  // the values of that condition.
  std::vector<diag::Reason> by_condition(const diag::Reason& reason,
                                         const api::DeviceDemand& demand);

 private:
  struct Known {
    cel::Span span = {};
    std::vector<std::pair<std::string, std::string>> values = {};
  };

  struct About {
    const engine::SelectorAnswer* answer = nullptr;  // nullptr: not about a selector, or not known
    std::size_t device = 0;                          // index in the fleet
  };

  About about(const diag::Reason& reason, const api::DeviceDemand& demand);
  const Known& known_of(const engine::SelectorAnswer& answer, std::size_t device);

  const engine::Demands& demands_;
  const engine::Inventory& inventory_;
  std::map<std::string, std::size_t, std::less<>> index_;  // device by id; built on first use
  std::map<std::pair<const engine::SelectorAnswer*, std::size_t>, Known> known_;  // by group
};

}  // namespace dra::answers
