// src/engine/facts/known_bugs.cpp: the table. A bug is a row, listed only after its issue and the
// release notes of its fix were read.

#include "dra/engine/facts/known_bugs.h"

#include <algorithm>
#include <array>
#include <vector>

#include "dra/api/release.h"
#include "dra/base/text.h"

namespace dra::engine {
namespace {

constexpr int kUnfixed = -1;

// The first patch release of a minor release that has the fix; kUnfixed: none has it.
struct Fixed {
  int minor = 0;
  int patch = kUnfixed;
};
struct BugRow {
  Bug bug;
  int issue;  // of kubernetes/kubernetes; of some, its fix
  std::string_view component;
  std::array<Fixed, 4> fixed;  // of the minor releases that have it; minor 0: no entry
  std::string_view what;
  std::string_view way_out;
};

constexpr std::string_view kScheduler = "kube-scheduler";
constexpr std::string_view kControllerManager = "kube-controller-manager";
constexpr std::string_view kKubelet = "the kubelet";

constexpr std::array kBugs = {
    BugRow{Bug::AdminAccessTakesCounters,
           140729,
           kScheduler,
           {Fixed{35}, Fixed{36}, Fixed{37}},
           "it takes the counters of a device for admin access, too",
           "a pod with such access gets the device when it is free"},
    BugRow{Bug::CountersStayReserved,
           140663,
           kScheduler,
           {Fixed{36, 3}},
           "it may count shared counters of a device as exhausted that are free",
           "update kube-scheduler"},
    BugRow{Bug::CountersTakenAgain,
           140433,
           kScheduler,
           {Fixed{36}},
           "it takes the counters of a shared device once more for the next share",
           "update kube-scheduler to v1.37"},
    BugRow{Bug::DeviceAllocatedTwice,
           136269,
           kScheduler,
           {Fixed{32, 12}, Fixed{33, 8}, Fixed{34, 4}, Fixed{35, 1}},
           "it may allocate a device twice when it places many pods at once",
           "update kube-scheduler"},
    BugRow{Bug::ExtendedResourceStays,
           141290,
           kControllerManager,
           {Fixed{34}, Fixed{35}, Fixed{36}, Fixed{37}},
           "it evicts no pod that has a tainted device by an extended resource",
           "delete the pod by hand"},
    BugRow{Bug::GangSharesClaim,
           137617,
           kScheduler,
           {Fixed{35}},
           "it does not share an allocation within a gang before it is made",
           "update to v1.36"},
    BugRow{Bug::IdleConnection,
           133920,
           kKubelet,
           {Fixed{34, 2}},
           "it loses its connection to a driver that was not called for 30 minutes",
           "restart the kubelet on the node, then update it"},
    BugRow{Bug::PartitionsOverlap,
           139034,
           kScheduler,
           {Fixed{36, 2}},
           "it does not count what shares of a device have taken of its counters",
           "update kube-scheduler"},
    BugRow{Bug::PreparedClaimBesideOthers,
           135901,
           kKubelet,
           {Fixed{34, 4}, Fixed{35, 1}},
           "of a pod with several claims, one of them prepared already, it does not prepare the "
           "others",
           "update the kubelet"},
    BugRow{Bug::RulesNotFollowed,
           139681,
           kScheduler,
           {Fixed{36, 3}},
           "while there are taint rules, it crashes when slices change, or does not see new rules",
           "update kube-scheduler"},
    BugRow{Bug::ScoreOfAllocatedClaim,
           139016,
           kScheduler,
           {Fixed{35, 6}, Fixed{36, 2}},
           "it fails for a pod with an allocated and a pending claim where several nodes fit",
           "update kube-scheduler, or keep the pod to one node"},
    BugRow{Bug::TolerationLost,
           134434,
           kScheduler,
           {Fixed{33}, Fixed{34}},
           "it does not copy tolerations into the allocation, so pods that tolerate a NoExecute "
           "taint are evicted all the same",
           "update to v1.35, or remove the taint"},
};

// "v1.34 before v1.34.4", "v1.33".
std::string range_of(const Fixed& fixed) {
  if (fixed.patch == kUnfixed) return base::format("v1.{}", fixed.minor);
  return base::format("v1.{0} before v1.{0}.{1}", fixed.minor, fixed.patch);
}

bool may_have(const api::Release& release, const Fixed& fixed) {
  return fixed.minor != 0 && release.minor == fixed.minor &&
         (fixed.patch == kUnfixed || !release.patch || *release.patch < fixed.patch);
}

std::string words_of(const BugRow& row, const Fixed& fixed) {
  return base::format("a bug of {} {} (kubernetes/kubernetes issue {}): {}; {}.", row.component,
                      range_of(fixed), row.issue, row.what, row.way_out);
}

std::string words_in(Bug bug, std::optional<api::Release> release) {
  const auto row = std::ranges::find(kBugs, bug, &BugRow::bug);
  if (row == kBugs.end() || !release) return {};
  for (const Fixed& fixed : row->fixed) {
    if (may_have(*release, fixed)) return words_of(*row, fixed);
  }
  return {};
}

}  // namespace

std::string words_of(Bug bug, std::string_view version) {
  return words_in(bug, api::release_of(version));
}

std::string words_of(Bug bug, const snapshot::Server& server) {
  auto release = api::release_of(server.version);
  // What a user says of the server, or kubelets show, has the patch number that is known.
  const bool is_default = server.version == snapshot::Server().version;
  if (release && server.assumed && is_default) release->patch.reset();
  return words_in(bug, release);
}

std::optional<Bug> bug_in(std::string_view message) {
  const auto has = [message](std::string_view part) {
    return message.find(part) != std::string_view::npos;
  };
  if (has("number of allocations") && has("is smaller than number of claims"))
    return Bug::ScoreOfAllocatedClaim;
  return std::nullopt;
}

}  // namespace dra::engine
