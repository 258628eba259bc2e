// include/dra/snapshot/snapshot.h
//
// The state of a cluster at one moment, as far as it was read: from a server, from files, or from a
// recording. It never changes once built: a Builder makes one of bytes, a Draft makes one from
// another. Objects of a kind stand in the order of a server's lists, so the same state gives the
// same output wherever it came from.
//
// A snapshot is a value that shares its parts: the objects of each kind are one part, the bytes
// that they point into others. A copy costs a few pointers, and a snapshot that a Draft makes holds
// only those kinds by itself that it changes.

#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "dra/api/decode.h"
#include "dra/api/kinds.h"
#include "dra/api/pool_names.h"
#include "dra/base/result.h"
#include "dra/snapshot/coverage.h"

namespace dra::snapshot {

// Which control plane's rules hold.
struct Server {
  std::string version = "v1.37.1";  // of the newest release known, unless somebody says otherwise
  bool assumed = true;              // nobody said otherwise
  // Feature gates that are known, by name, where they may differ from the release's default; of
  // several entries for one the last counts.
  std::vector<std::pair<std::string, bool>> gates = {};
  // The server has told its gates, so that none is assumed. They are the API server's: a scheduler
  // that was started with others does otherwise, which nobody can see from outside.
  bool gates_known = false;
  // Of the group resource.k8s.io that it serves, in its order; empty: not known.
  std::vector<std::string> dra_versions = {};
};

// An object that was asked for by name and not given, and why, in the server's words.
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
               List<api::ComputeDomain>, List<api::ConfigMap>, List<api::Event>,
               List<api::Namespace>, List<api::Node>, List<api::Pod>, List<api::ResourceQuota>,
               List<api::ResourceSlice>, List<api::DeviceTaintRule>,
               List<api::ResourceClaimTemplate>, List<api::Workload>>;

class Snapshot {
 public:
  // All objects of a type: snapshot.all<api::ResourceClaim>().
  template <class T>
  const std::vector<T>& all() const {
    return *std::get<Shared<T>>(objects_);
  }

  // By name; cluster-scoped kinds have no namespace. nullptr if it is not in the snapshot.
  template <class T>
  const T* find(std::string_view ns, std::string_view name) const;
  template <class T>
  const T* find(std::string_view name) const {
    return find<T>({}, name);
  }

  // By kind ("Deployment") and name; a workload is of any kind that makes pods.
  const api::Workload* find_workload(std::string_view kind, std::string_view ns,
                                     std::string_view name) const;

  // Events about whatever has this name in a namespace, of any kind, in the order of all().
  std::span<const api::Event* const> events_about(std::string_view ns, std::string_view name) const;

  // Of all slices and allocations.
  const api::PoolNames& pools() const { return *pools_; }
  const Coverage& coverage() const { return coverage_; }
  // Of a server only: of files, what is not there is not there.
  const std::vector<Refusal>& refusals() const { return refusals_; }
  // What was laid over the cluster's own objects, in the order of its files. See Manifest.
  const std::vector<Planned>& planned() const { return planned_; }
  const Server& server() const { return server_; }
  // When it was taken, if a recording says so: then the clock of every age.
  const std::optional<base::Instant>& taken() const { return taken_; }
  // The resource version of each kind's list, where a server told it.
  const std::vector<std::pair<api::Kind, std::string>>& resource_versions() const {
    return resource_versions_;
  }
  // What a user should know about how it was read: of two objects with one name, the later was
  // taken.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  friend class Builder;
  friend class Draft;

  // Changed by a Draft only, and only while no other snapshot has it.
  template <class T>
  using Shared = std::shared_ptr<std::vector<T>>;

  Snapshot() = default;  // without lists: a Builder and a Draft give it theirs

  std::vector<std::shared_ptr<const void>> texts_;  // that objects point into
  std::shared_ptr<api::PoolNames> pools_;
  ListsOf<Shared> objects_;
  std::shared_ptr<const std::vector<const api::Event*>> events_;  // by what they are about
  Coverage coverage_;
  std::vector<Refusal> refusals_;
  std::vector<Planned> planned_;
  Server server_;
  std::optional<base::Instant> taken_;
  std::vector<std::pair<api::Kind, std::string>> resource_versions_;
  std::vector<std::string> warnings_;
};

}  // namespace dra::snapshot
