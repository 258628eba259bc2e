// include/dra/engine/running/idle_devices.h
//
// Devices that claims hold and nothing works with: their pods crash, are not ready or have ended,
// or no container has them; or no pod has reserved the claim. And since when, as far as the state
// of the cluster tells.
//
// A device is idle only if it is for every pod that has reserved its claim. Of a pod those
// containers count that name the claim in resources.claims: another one that crashes leaves the
// device at work. Not judged are claims that something other than a pod has reserved.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "dra/api/pod.h"
#include "dra/base/time.h"
#include "dra/engine/cluster/inventory.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

enum class IdleWhy : std::uint8_t {
  CrashLoop,        // a container crashes again and again
  NotReady,         // a container runs, or waits to run again, and is not ready
  NotStarted,       // no container has started
  ContainersEnded,  // those that have the devices; others still run
  NoContainer,      // no container names the claim, and the driver serves those alone that do
  PodEnded,         // and the reservation is still there
  PodGone,          // likewise
  Unreserved,       // no consumer has reserved the claim
};
std::string_view name_of(IdleWhy why);   // "CrashLoop", as in reports
std::string_view words_of(IdleWhy why);  // "crash loop"

// How long something took, as far as it is known.
enum class Bound : std::uint8_t { Exactly, AtLeast, AtMost, Unknown };
std::string_view name_of(Bound bound);  // "exactly"

struct IdleSpan {
  std::optional<base::Instant> since = {};  // no value: the bound is Unknown
  Bound bound = Bound::Unknown;             // of the time that has passed since then
};

// Devices of one driver and one class that have been idle for one time and reason.
struct IdleDevices {
  const api::ResourceClaim* claim = nullptr;
  std::vector<const api::Pod*> pods = {};  // that have reserved it; not those that are gone
  IdleWhy why = IdleWhy::Unreserved;
  IdleSpan span = {};
  std::string_view driver = {};
  std::string_view device_class = {};  // empty: the claim's spec does not say
  double devices = 0;  // a share of one that claims can share counts as its part of it
};

struct IdleFound {
  std::vector<IdleDevices> idle;  // by namespace and claim
  std::int64_t looked_at = 0;     // devices that claims hold, in whole or in part
  std::int64_t not_judged = 0;    // of these
};

// Devices held with admin access are not looked at: they are free for others. `now` is the time of
// the snapshot. `ns` is empty for claims of all namespaces.
IdleFound idle_devices(const snapshot::Snapshot& snapshot, const Inventory& inventory,
                       base::Instant now, std::string_view ns = {});

// Hours of idle devices until `now`; 0 where the time is not known.
double device_hours(const IdleDevices& idle, base::Instant now);

}  // namespace dra::engine
