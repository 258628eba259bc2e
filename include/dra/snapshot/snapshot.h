// include/dra/snapshot/snapshot.h
//
// The state of a cluster at one moment, as far as it was read from a server, files or a recording.
// It never changes once built: a Builder makes one from bytes, a Draft makes one from another
// snapshot. Objects of a kind have the order of a server's lists, so the same state gives the same
// output from any source.
//
// A snapshot is a value that shares its parts: one for the objects of each kind, others for the
// bytes that these point into. A copy costs a few pointers, and a snapshot made by a Draft owns
// only the kinds that it changes.

#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "dra/api/kinds.h"
#include "dra/api/types.h"
#include "dra/base/result.h"
#include "dra/base/time.h"
#include "dra/snapshot/coverage.h"

namespace dra::api {
class PoolNames;
}

namespace dra::snapshot {

// The control plane whose rules apply.
struct Server {
  std::string version = "v1.37.1";  // the newest known release, unless the source has one
  bool assumed = true;              // the source has no version
  // Known feature gates that may differ from the release's defaults. The last entry for a gate
  // counts.
  std::vector<std::pair<std::string, bool>> gates = {};
  // The server reported its gates, so none is assumed. They are the gates of the API server; a
  // scheduler that was started with others cannot be recognized from outside.
  bool gates_known = false;
  // Served versions of the group resource.k8s.io, in the server's order; empty: not known.
  std::vector<std::string> dra_versions = {};
};

// An object that the server did not return for its name, and the error in the server's words.
struct Refusal {
  api::Kind kind;
  std::string namespace_;
  std::string name;
  Error error;
};

// An object that a user means to create.
struct Planned {
  std::string_view kind;
  std::string_view namespace_;  // empty for kinds without one
  std::string_view name;

  friend bool operator==(const Planned&, const Planned&) = default;
};

// One list for each kind, in the order of api::Kind, all workloads in one.
template <template <class> class List>
using ListsOf =
    std::tuple<List<api::ResourceClaim>, List<api::DeviceClass>, List<api::ComputeClass>,
               List<api::ComputeDomain>, List<api::ConfigMap>, List<api::CsiDriver>,
               List<api::CsiNode>, List<api::PodDisruptionBudget>, List<api::Event>,
               List<api::MutatingWebhooks>, List<api::Namespace>, List<api::Node>,
               List<api::PersistentVolume>, List<api::PersistentVolumeClaim>, List<api::Pod>,
               List<api::PodGroup>, List<api::QueuedWorkload>, List<api::ResourceQuota>,
               List<api::ResourceSlice>, List<api::CsiStorageCapacity>, List<api::StorageClass>,
               List<api::DeviceTaintRule>, List<api::ResourceClaimTemplate>,
               List<api::VolumeAttachment>, List<api::Workload>>;

class Snapshot {
 public:
  // All objects of a type: snapshot.all<api::ResourceClaim>().
  template <class T>
  const std::vector<T>& all() const {
    return *std::get<Shared<T>>(objects_);
  }

  // Finds an object by name; cluster-scoped kinds have no namespace. nullptr: not in the snapshot.
  template <class T>
  const T* find(std::string_view ns, std::string_view name) const;
  template <class T>
  const T* find(std::string_view name) const {
    return find<T>({}, name);
  }

  // Finds a workload, which may be of any kind that makes pods ("Deployment").
  const api::Workload* find_workload(std::string_view kind, std::string_view ns,
                                     std::string_view name) const;

  // Events about the objects with this name in a namespace, of any kind, in the order of all().
  std::span<const api::Event* const> events_about(std::string_view ns, std::string_view name) const;

  // Names of the pools of all slices and allocations.
  const api::PoolNames& pools() const { return *pools_; }
  const Coverage& coverage() const { return coverage_; }
  // Only for a server: in files, a missing object does not exist.
  const std::vector<Refusal>& refusals() const { return refusals_; }
  // Objects that the user means to create (see Manifest), in the order of their files.
  const std::vector<Planned>& planned() const { return planned_; }
  const Server& server() const { return server_; }
  // The time of the recording, which is then the clock of every age.
  const std::optional<base::Instant>& taken() const { return taken_; }
  // When this was the state of the cluster: when it was recorded, or read from a server. No value
  // for other files.
  const std::optional<base::Instant>& time() const { return taken_ ? taken_ : read_; }
  // This was the state of the cluster then or later: time(), else of a dump the newest time that
  // its objects name. What has lasted for long by then has. No value: there was no clock.
  const std::optional<base::Instant>& not_before() const { return time() ? time() : newest_; }
  // The clock of every age: time(), else when the files were opened, so that an age of an object in
  // a dump is at most too high. No value: there was no clock.
  const std::optional<base::Instant>& now() const { return time() ? time() : opened_; }
  // The resource version of each kind's list, if the server gave one.
  const std::vector<std::pair<api::Kind, std::string>>& resource_versions() const {
    return resource_versions_;
  }
  // Warnings about the input, for example that of two objects with one name the later one is used.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  friend class Builder;
  friend class Draft;

  // Only a Draft changes a list, and only while no other snapshot shares it.
  template <class T>
  using Shared = std::shared_ptr<std::vector<T>>;

  Snapshot() = default;  // without lists: Builder and Draft set them

  std::vector<std::shared_ptr<const void>> texts_;  // memory that objects point into
  std::shared_ptr<api::PoolNames> pools_;
  ListsOf<Shared> objects_;
  // By the object that they are about.
  std::shared_ptr<const std::vector<const api::Event*>> events_;
  Coverage coverage_;
  std::vector<Refusal> refusals_;
  std::vector<Planned> planned_;
  Server server_;
  std::optional<base::Instant> taken_;
  std::optional<base::Instant> read_;    // from a server
  std::optional<base::Instant> opened_;  // of files
  std::optional<base::Instant> newest_;  // in files
  std::vector<std::pair<api::Kind, std::string>> resource_versions_;
  std::vector<std::string> warnings_;
};

}  // namespace dra::snapshot
