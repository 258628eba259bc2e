// include/dra/engine/facts/capacity.h
//
// How much of a device's capacity a request takes. A device that allows several allocations is
// shared: each share takes the requested amount, rounded up by the capacity's policy, else the
// policy's default, else everything. For any other device the same amounts are only a filter.
//
// Upstream: k8s.io/dynamic-resource-allocation/structured/internal/incubating,
// consumable_capacity.go. A request names capacities literally: `memory` is not
// `driver.example.com/memory`.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "dra/api/claim.h"
#include "dra/api/slice.h"
#include "dra/base/quantity.h"

namespace dra::engine {

enum class CapacityFlaw : std::uint8_t {
  None,
  Missing,   // the device does not have the requested capacity
  Policy,    // the policy does not allow the amount
  Short,     // more than there is, or than is left
  Overflow,  // the amount cannot be computed: the scheduler gives up on the pod
  Negative,  // as that
};

// One capacity, and how much of it is taken.
struct CapacityPart {
  std::string_view name;
  base::Quantity total;
  base::Quantity part;
};

struct CapacityDraw {
  CapacityFlaw flaw = CapacityFlaw::None;  // shares of others aside
  std::string_view name = {};              // the capacity with the flaw
  std::vector<CapacityPart> parts = {};    // by name; complete unless the flaw is fatal

  bool fatal() const { return flaw == CapacityFlaw::Overflow || flaw == CapacityFlaw::Negative; }
};

struct CapacityRules {
  bool fractional = false;  // policies may count in thousandths (DRAFractionalCapacityRange)
  // Amounts that no policy can count are an error; before 1.37 they count as nothing, and sums
  // wrap.
  bool bounded = true;
};
CapacityDraw draw_of(const api::DeviceDemand& demand, const api::Device& device,
                     const CapacityRules& rules);

// The amounts that shares take of a device's capacities, by name.
class CapacityUse {
 public:
  void add(std::string_view name, const base::Quantity& amount);
  void add(const std::vector<CapacityPart>& parts);
  void sub(const std::vector<CapacityPart>& parts);
  const base::Quantity* of(std::string_view name) const;  // nullptr: nothing
  bool empty() const { return used_.empty(); }
  bool is_zero() const;  // empty, or nothing but zeros

 private:
  base::Quantity& at(std::string_view name);

  std::vector<std::pair<std::string_view, base::Quantity>> used_;
};

// The first capacity that has too little left beside `taken`; nullptr: none.
const CapacityPart* short_of(const std::vector<CapacityPart>& parts, const CapacityUse& taken);

}  // namespace dra::engine
