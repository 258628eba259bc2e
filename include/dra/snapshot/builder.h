// include/dra/snapshot/builder.h
//
// Objects in, snapshot out. The one place where bytes become objects: pages of a server's lists,
// JSON and YAML documents of files. Kinds that the program does not read are passed over.

#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/api/device_models.h"
#include "dra/base/memory.h"
#include "dra/base/result.h"
#include "dra/json/cursor.h"
#include "dra/session/list_page.h"
#include "dra/snapshot/snapshot.h"

namespace dra::snapshot {

// The apiVersion of what this program prints itself, which is no object of a cluster.
inline constexpr std::string_view kReportVersion = "dra.kubectl/v1";

class Builder {
 public:
  // One page of a server's list; its items say neither kind nor version.
  Result<session::ListPage> add_page(base::Page page, api::Kind kind, std::string_view version);
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

 private:
  // What objects point into.
  struct Texts {
    std::vector<base::Page> pages;
    base::Arena arena;
    api::DeviceModels models;  // of devices in slices
  };
  template <class T>
  using List = std::vector<T>;

  std::optional<session::ListPage> read_list(json::Cursor& root, const api::KindInfo& kind,
                                             std::string_view api_version);
  Result<Done> add_json(std::string_view text);
  Result<Done> add_yaml(std::string_view text);
  void add_document(json::Cursor& root);
  void add_object(json::Cursor& object, const api::KindInfo& kind, std::string_view api_version);
  void add_unknown(json::Cursor& object, std::string_view kind, std::string_view api_version);
  template <class T>
  void lay_over(std::vector<T>& objects);
  void hand_over_objects();

  Snapshot snapshot_;  // gets the rest in build()
  std::shared_ptr<Texts> texts_ = std::make_shared<Texts>();
  api::PoolNames pools_;
  ListsOf<List> objects_;
  std::optional<std::string_view> planned_in_;  // the namespace, while a manifest is read
};

}  // namespace dra::snapshot
