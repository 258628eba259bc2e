// tests/engine/scheduler/allocate_shares_test.cpp: devices that several may have: by shares, or
// with admin access; and capacity.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dra/base/text.h"
#include "tests/support/allocation.h"
#include "tests/support/builders.h"

namespace dra::engine::allocate_shares_test {
namespace {

using support::all;
using support::allocated;
using support::devices;
using support::exactly;
using support::request;
using support::Scene;

using Case = support::AllocationCase;

TEST_CASE("admin access") {
  const std::string admin = request("a", "adminAccess: true");
  const Scene one = devices("{name: d}");
  const Case rows[] = {
      {"to a device that is held", Scene(one).held("n1", "d").claim("c", admin),
       "fits: a=d(admin)"},
      {"keeps nobody from it",
       Scene(one)
           .claim("x", exactly("gpu", 1), allocated("{device: d, pool: n1, adminAccess: true}"))
           .claim("c", request("b")),
       "fits: b=d"},
      {"as many devices as are asked for",
       Scene(one).claim("c", request("a", "adminAccess: true, count: 2")), "none:"},
      {"each device once for a claim",
       Scene(one).claim("c", admin + ", " + request("b", "adminAccess: true")),
       "none: DeviceInUseHere"},
      {"and again for the next",
       Scene(one).claim("c1", admin).claim("c2", request("b", "adminAccess: true")),
       "fits: a=d(admin); b=d(admin)",
       {"c1", "c2"}},
      {"takes the device from later requests of the claim",
       Scene(one).claim("c", admin + ", " + request("b")), "none: DeviceInUseHere"},
      {"and of later claims",
       Scene(one).claim("c1", admin).claim("c2", request("b")),
       "none: DeviceInUseHere",
       {"c1", "c2"}},
      {"is granted to a device that an earlier claim takes",
       Scene(one).claim("c1", request("b")).claim("c2", admin),
       "fits: b=d; a=d(admin)",
       {"c1", "c2"}},
      {"but not of one that an earlier request of the claim takes",
       Scene(one).claim("c", request("b") + ", " + admin), "none: DeviceInUseHere"},
      {"to all devices, held or not",
       devices("{name: d}, {name: e}").held("n1", "d").claim("c", all("gpu", "adminAccess: true")),
       "fits: gpu=d(admin) gpu=e(admin)"},
  };
  for (const Case& row : rows)
    support::check(row);
}

// A device that may be shared, with 40 of memory, and one that may not.
constexpr const char* kShareable =
    "{name: d, allowMultipleAllocations: true, capacity: {memory: {value: 40}}}";
constexpr const char* kWhole = "{name: e, capacity: {memory: {value: 40}}}";

std::string takes(int memory) {
  return base::format("capacity: {{requests: {{memory: {}}}}}", memory);
}
std::string share_of(std::string_view more) {
  return allocated(base::format("{{device: d, pool: n1{}}}", more));
}

TEST_CASE("shares of a device") {
  const Scene one = devices(kShareable);
  const Case rows[] = {
      {"take what is asked for", Scene(one).claim("c", request("r", takes(10))),
       "fits: r=d(memory 10)"},
      {"else the whole", Scene(one).claim("c", request("r")), "fits: r=d(memory 40)"},
      {"else the default",
       devices("{name: d, allowMultipleAllocations: true, capacity: {memory: {value: 40, "
               "requestPolicy: {default: 5}}}}")
           .claim("c", request("r")),
       "fits: r=d(memory 5)"},
      {"may be of no capacity at all",
       devices("{name: d, allowMultipleAllocations: true}")
           .claim("c", request("a") + ", " + request("b")),
       "fits: a=d() b=d()"},
      {"several requests have one device",
       Scene(one).claim("c", request("a", takes(10)) + ", " + request("b", takes(30))),
       "fits: a=d(memory 10) b=d(memory 30)"},
      {"several claims, too",
       Scene(one).claim("c1", request("a", takes(10))).claim("c2", request("b", takes(30))),
       "fits: a=d(memory 10); b=d(memory 30)",
       {"c1", "c2"}},
      {"one request cannot have two of them",
       Scene(one).claim("c", request("r", "count: 2, " + takes(10))), "none:"},
      {"as long as there is room",
       Scene(one).claim("c", request("a", takes(30)) + ", " + request("b", takes(20))),
       "none: CapacityShort"},
      {"beside those that are held",
       Scene(one)
           .claim("x", exactly("gpu", 1), share_of(", shareID: s1, consumedCapacity: {memory: 30}"))
           .claim("c", request("r", takes(10))),
       "fits: r=d(memory 10)"},
      {"which leave too little",
       Scene(one)
           .claim("x", exactly("gpu", 1), share_of(", shareID: s1, consumedCapacity: {memory: 30}"))
           .claim("c", request("r", takes(11))),
       "none: CapacityShort"},
      {"a holder without a share has the whole",
       Scene(one).claim("x", exactly("gpu", 1), share_of("")).claim("c", request("r", takes(10))),
       "none:"},
      {"a later request is a reason to take another device",
       devices(base::format("{}, {}", kWhole, kShareable))
           .claim("c", request("a", takes(40)) + ", " + request("b", takes(30)) + ", " +
                           request("q", takes(10))),
       "fits: a=e b=d(memory 30) q=d(memory 10)"},
      {"of all devices one each",
       devices(base::format("{}, {}", kShareable, kWhole))
           .claim("c", all("gpu", takes(10)) + ", " + request("b", takes(30))),
       "fits: gpu=d(memory 10) gpu=e b=d(memory 30)"},
      {"all devices include those with too little left",
       Scene(one)
           .claim("x", exactly("gpu", 1), share_of(", shareID: s1, consumedCapacity: {memory: 40}"))
           .claim("c", all("gpu", takes(10))),
       "none: CapacityShort"},
      {"admin access takes a share like anybody",
       Scene(one).claim(
           "c", request("a", "adminAccess: true, " + takes(30)) + ", " + request("b", takes(20))),
       "none: CapacityShort"},
  };
  for (const Case& row : rows)
    support::check(row);
}

TEST_CASE("capacity of a device that is not shared") {
  const char* policy =
      "{name: d, capacity: {memory: {value: 40, requestPolicy: {validValues: [8, 16]}}}}";
  const char* steps =
      "{name: d, capacity: {memory: {value: 40, requestPolicy: {validRange: {min: 0, step: 10}}}}}";
  const std::string huge = "capacity: {requests: {memory: 9223372036854775807}}";
  const Case rows[] = {
      {"is a filter only", devices(kWhole).claim("c", request("r", takes(10))), "fits: r=e"},
      {"too little", devices(kWhole).claim("c", request("r", takes(41))), "none: CapacityShort"},
      {"none of the name",
       devices(kWhole).claim("c", request("r", "capacity: {requests: {slots: 1}}")),
       "none: CapacityMissing"},
      {"its policy counts", devices(policy).claim("c", request("r", takes(17))),
       "none: CapacityPolicy"},
      {"even for who asks for nothing", devices(policy).claim("c", request("r")),
       "none: CapacityPolicy"},
      {"an amount that cannot be computed ends it", devices(steps).claim("c", request("r", huge)),
       "fatal: CapacityPolicy"},
      {"not in 1.36", devices(steps).server("v1.36.0").claim("c", request("r", huge)),
       "none: CapacityPolicy"},
      {"not for a device that is held",
       devices(steps).held("n1", "d").claim("c", request("r", huge)), "none:"},
      {"steps of less than one need their gate",
       devices("{name: d, capacity: {memory: {value: 1, requestPolicy: {validRange: {min: 100m, "
               "step: 100m}}}}}")
           .gate("DRAFractionalCapacityRange")
           .claim("c", request("r", "capacity: {requests: {memory: 950m}}")),
       "fits: r=d"},
  };
  for (const Case& row : rows)
    support::check(row);
}

}  // namespace
}  // namespace dra::engine::allocate_shares_test
