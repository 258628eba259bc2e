// include/dra/snapshot/builder.h
//
// Objects in, snapshot out. The one place where bytes become objects: pages of a server's lists,
// JSON and YAML documents of files. Kinds that the program does not read are passed over.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "dra/base/result.h"
#include "dra/json/cursor.h"
#include "dra/snapshot/snapshot.h"

namespace dra::snapshot {

// The apiVersion of what this program prints itself, which is no object of a cluster.
inline constexpr std::string_view kReportVersion = "dra.kubectl/v1";

struct ListMeta {
  std::string continue_token;  // empty on the last page
  std::string resource_version;
};

class Builder {
 public:
  // One page of a server's list; its items say neither kind nor version.
  Result<ListMeta> add_page(base::Page page, api::Kind kind, std::string_view version);
  // One object that a server gave for its name.
  Result<Done> add_item(base::Page page, api::Kind kind, std::string_view version);
  // Forgets the objects of a kind, when a list has to start again.
  void drop(api::Kind kind);

  // A file's text: JSON documents one after another, or a stream of YAML documents, which may look
  // like JSON at first; Lists are opened. `name` stands in errors and warnings.
  Result<Done> add_text(std::string_view text, const std::string& name);

  // What a user means to create: it replaces what has its name, and without a namespace it is in
  // `ns`. Of kinds that are not known those with a pod template in the usual place are workloads.
  Result<Done> add_manifest(std::string_view text, const std::string& name, std::string_view ns);

  void set_server(Server server) { snapshot_.server_ = std::move(server); }
  void set_taken(base::Instant taken) { snapshot_.taken_ = taken; }
  void set_resource_version(api::Kind kind, std::string version);
  void add_missing(api::Kind kind, std::string reason);
  void add_read(api::Kind kind, std::string_view ns);  // of a kind that is missing elsewhere
  void add_refusal(Refusal refusal);

  // Sorts, drops doubles (the later wins) and reads what a recording says of itself. Of what could
  // not be read, only the kinds asked for are remembered.
  Result<Snapshot> build(std::span<const api::Kind> asked_for) &&;
  Result<Snapshot> build() &&;  // everything was asked for

  // A copy of an object of another snapshot, which owns its text and must outlive this one.
  template <class T>
  void add_copy(const T& object) {
    auto& added = objects<T>(snapshot_).emplace_back(object);
    if constexpr (std::is_same_v<T, api::ResourceSlice> || std::is_same_v<T, api::ResourceClaim>)
      snapshot_.pools_.add(added);
  }
  void set_coverage(const Coverage& coverage) { snapshot_.coverage_ = coverage; }

  // The objects of a built one, for what asks "what if" before anything is computed from it.
  // Whoever adds some or renames pools calls refresh() at the end, and has texts kept here.
  template <class T>
  static std::vector<T>& objects(Snapshot& snapshot) {
    return std::get<std::vector<T>>(snapshot.objects_);
  }
  // Text that lives as long as the snapshot.
  static std::string_view keep(Snapshot& snapshot, std::string_view text) {
    return snapshot.arena_.copy(text);
  }
  static void refresh(Snapshot& snapshot);
  // For a claim that gets an allocation: what it refers to pools by.
  static void number_pools(Snapshot& snapshot, api::ResourceClaim& claim) {
    snapshot.pools_.add(claim);
    snapshot.pools_.sort();
  }

 private:
  static void order_events(Snapshot& snapshot);
  std::optional<ListMeta> read_list(json::Cursor& root, const api::KindInfo& kind,
                                    std::string_view api_version);
  Result<Done> add_json(std::string_view text);
  Result<Done> add_yaml(std::string_view text);
  void add_document(json::Cursor& root);
  void add_object(json::Cursor& object, const api::KindInfo& kind, std::string_view api_version);
  void add_unknown(json::Cursor& object, std::string_view kind, std::string_view api_version);
  template <class T>
  void lay_over(std::vector<T>& objects);

  Snapshot snapshot_;
  std::optional<std::string_view> planned_in_;  // the namespace, while a manifest is read
};

}  // namespace dra::snapshot
