// include/dra/report/phrases/selector_evidence.h
//
// What a device that a selector passes over, or fails for, has in the places that the selector
// reads.

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/diag/reason.h"
#include "dra/engine/scheduler/demands.h"

namespace dra::report {

// The part of the expression that decides against a device: what failed, or the first condition
// that does not hold. The whole where that is not known.
cel::Span deciding_part(const engine::Selector& selector, const cel::Trace& trace);

class SelectorEvidence {
 public:
  // Both must outlive this object.
  SelectorEvidence(const engine::Demands& demands, const engine::Inventory& inventory)
      : demands_(demands), inventory_(inventory) {}

  // The part of the selector, and values of the first example, for a reason about a selector of
  // this demand; other reasons stay as they are.
  void add_to(diag::Reason& reason, const api::DeviceDemand& demand);

  // The same of a reason about one device, once for each condition of the selector that does not
  // hold, with the values of that condition.
  std::vector<diag::Reason> by_condition(const diag::Reason& reason,
                                         const api::DeviceDemand& demand);

 private:
  struct Known {
    cel::Span span = {};
    std::vector<std::pair<std::string, std::string>> values = {};
  };

  struct About {
    const engine::SelectorAnswer* answer = nullptr;  // nullptr: about no selector, or not known
    std::size_t device = 0;                          // of the fleet
  };

  About about(const diag::Reason& reason, const api::DeviceDemand& demand);
  const Known& known_of(const engine::SelectorAnswer& answer, std::size_t device);

  const engine::Demands& demands_;
  const engine::Inventory& inventory_;
  std::map<std::string, std::size_t, std::less<>> index_;  // of devices, by id; made when needed
  std::map<std::pair<const engine::SelectorAnswer*, std::size_t>, Known> known_;  // by group
};

}  // namespace dra::report
