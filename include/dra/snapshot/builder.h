// include/dra/snapshot/builder.h
//
// Builds a snapshot of objects. Only here do bytes become objects: pages of a server's lists, and
// JSON and YAML documents of files. Kinds that the program does not read are skipped, silently if
// no answer depends on them.

#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/api/claim.h"
#include "dra/api/cluster_objects.h"
#include "dra/api/device_class.h"
#include "dra/api/device_models.h"
#include "dra/api/pod.h"
#include "dra/api/pool_names.h"
#include "dra/api/slice.h"
#include "dra/api/taint_rule.h"
#include "dra/api/train_job.h"
#include "dra/api/workload.h"
#include "dra/base/function_ref.h"
#include "dra/base/memory.h"
#include "dra/base/result.h"
#include "dra/json/cursor.h"
#include "dra/json/stream.h"
#include "dra/session/list_page.h"
#include "dra/snapshot/snapshot.h"

namespace dra::snapshot {

// The apiVersion of this program's own reports, which are no objects of a cluster.
inline constexpr std::string_view kReportVersion = "dra.kubectl/v1";

class Builder {
 public:
  // Adds one page of a server's list; its items have neither kind nor version.
  Result<session::ListPage> add_page(base::Page page, api::Kind kind, std::string_view version);
  // Adds one object that a server returned for its name.
  Result<Done> add_item(base::Page page, api::Kind kind, std::string_view version);
  // Adds an object of another snapshot, decoded again from a copy of its text.
  Result<Done> add_again(const api::Origin& origin, api::Kind kind);
  // The number of objects of a kind so far, and the metadata of those behind the first `from`.
  std::size_t count(api::Kind kind) const;
  void for_each_behind(std::size_t from, api::Kind kind,
                       base::FunctionRef<void(const api::ObjectMeta&)> on_object) const;
  // Whether a pod without a node, or the template of a workload that is not of the system, has
  // volumes for which the scheduler looks for nodes.
  bool has_waiting_volumes() const;
  // Likewise, of a pod group.
  bool has_waiting_groups() const;
  // Drops the objects of a kind when a list has to start again.
  void drop(api::Kind kind);

  // Adds a file's text: JSON documents one after another, or a stream of YAML documents, which may
  // look like JSON at first. Lists are opened. `name` appears in errors and warnings.
  Result<Done> add_text(std::string_view text, const std::string& name);

  // Adds objects that a user means to create. Each replaces the object of the same name; without a
  // namespace it is in `ns`. An object of an unknown kind with a pod template in the usual place is
  // a workload.
  Result<Done> add_manifest(std::string_view text, const std::string& name, std::string_view ns);
  // The runtimes that TrainJobs among these name, and that no manifest and no file has.
  std::vector<api::RuntimeName> missing_runtimes() const;
  // Adds a runtime that a server returned for its name.
  Result<Done> add_runtime(std::string_view text);
  // When all manifests are there: adds TrainJobs with what their runtimes make of them. A warning
  // names those whose runtime is missing.
  void add_train_jobs();

  void set_server(Server server) { snapshot_.server_ = std::move(server); }
  void set_taken(base::Instant taken) { snapshot_.taken_ = taken; }
  void set_read(base::Instant read) { snapshot_.read_ = read; }
  void set_opened(base::Instant opened) { snapshot_.opened_ = opened; }
  void set_resource_version(api::Kind kind, std::string version);
  // For objects from files alone, before manifests are laid over them. A dump holds the
  // kinds that were asked for, and tells nothing of others: nodes, pods, claims, classes and
  // slices of which there are none become gaps. A recording says what it read, an empty list of a
  // kind that there are none, and a dump with namespaces is taken for one of the whole cluster,
  // unless its objects show otherwise (evident_kinds).
  void note_kinds_not_in_files();
  void add_missing(api::Kind kind, std::string reason);
  void add_aside(api::Kind kind);
  // For a kind that is missing in other namespaces.
  void add_read(api::Kind kind, std::string_view ns);
  void add_refusal(Refusal refusal);

  // Sorts, drops duplicates (the later one wins) and reads the facts that a recording has about
  // itself. Coverage keeps gaps only of the kinds asked for; those of the kinds `aside` are none.
  Result<Snapshot> build(std::span<const api::Kind> asked_for,
                         std::span<const api::Kind> aside = {}) &&;
  Result<Snapshot> build() &&;  // asks for all kinds

 private:
  // The memory that objects point into.
  struct Texts {
    std::vector<base::Page> pages;
    base::Arena arena;
    api::DeviceModels models;  // models of the devices in slices
  };
  template <class T>
  using List = std::vector<T>;
  // Objects that are not read, though an answer may depend on them.
  struct LeftOut {
    std::size_t count = 0;
    std::string first;  // the name of the first
  };
  // A TrainJob, or a runtime. It is read once both are there.
  struct Unfinished {
    json::Value tree;
    std::string_view planned_in;  // the namespace of a manifest without one
    bool planned = false;         // a manifest's; otherwise of a file or a server
  };

  Result<session::ListPage> read_wire_list(const api::KindInfo& kind, std::string_view api_version);
  void add_wire_object(json::Reading& reading, std::string_view message, const api::KindInfo& kind,
                       std::string_view api_version);
  // What all objects have, once they are decoded.
  template <class T>
  void complete(T& added, const api::KindInfo& kind, std::string_view api_version);
  Result<Done> add_json(std::string_view text);
  // `documents` counts the documents of JSON, so that errors tell them apart.
  Result<Done> add_json_part(const json::StreamPart& part, bool alone, std::size_t& documents);
  Result<Done> add_yaml(const json::StreamPart& part);
  void add_document(json::Cursor& root);
  void add_object(json::Cursor& object, const api::KindInfo& kind, std::string_view api_version);
  // The items of a list of this kind. False: there are none.
  bool add_items(json::Cursor& list, std::string_view kind, std::string_view api_version);
  void add_unknown(json::Cursor& object, std::string_view kind, std::string_view api_version);
  void add_planned(json::Reading& reading, json::Value& tree);
  static api::RuntimeName runtime_wanted(const Unfinished& train_job);
  const Unfinished* find_runtime(const api::RuntimeName& name) const;
  void warn_of_missing_runtime(const Unfinished& train_job);
  api::PodSet& add_pod_set(json::Reading& reading, const json::Value& counts,
                           const json::Value& pod_template, api::Workload& workload);
  void add_pod_sets(json::Reading& reading, json::Value& tree, api::Workload& workload);
  void leave_out(json::Cursor& object, std::string_view kind, std::string_view api_version);
  void infer_gates();
  void warn_of_left_out();
  bool has_waiting(base::FunctionRef<bool(const api::PodSpec&)> is_it) const;
  void note_further_not_in_files(const api::ConfigMap* facts);
  // An object without a name gets one by its place among these, which no object of a server can
  // have.
  void name_nameless(api::ObjectMeta& meta, std::string_view kind);
  template <class T>
  void lay_over(std::vector<T>& objects);
  void hand_over_objects();

  Snapshot snapshot_;  // completed by build()
  std::shared_ptr<Texts> texts_ = std::make_shared<Texts>();
  api::PoolNames pools_;
  ListsOf<List> objects_;
  // By kind and apiVersion.
  std::map<std::pair<std::string, std::string>, LeftOut> left_out_;
  std::vector<Unfinished> train_jobs_;
  std::vector<Unfinished> runtimes_;
  std::set<api::Kind> listed_;                  // kinds that a list was of, even an empty one
  std::size_t nameless_ = 0;                    // objects without a name so far
  std::optional<std::string_view> planned_in_;  // the namespace, while a manifest is read
};

}  // namespace dra::snapshot
