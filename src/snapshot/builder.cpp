// src/snapshot/builder.cpp: decodes each object into the list of its kind, upgrades older versions
// to v1, and sorts the lists at the end. Texts stay in the snapshot, because objects point into
// them.

#include "dra/snapshot/builder.h"

#include <algorithm>
#include <array>
#include <optional>
#include <type_traits>

#include "dra/api/decode.h"
#include "dra/api/pod_templates.h"
#include "dra/api/release.h"
#include "dra/api/schema.h"
#include "dra/api/upgrade.h"
#include "dra/base/text.h"
#include "dra/json/parse.h"
#include "dra/json/yaml.h"
#include "src/snapshot/builder_lists.h"
#include "src/snapshot/class_selectors.h"
#include "src/snapshot/component_gates.h"
#include "src/snapshot/kubelet_release.h"
#include "src/snapshot/list_items.h"
#include "src/snapshot/list_requests.h"
#include "src/snapshot/newest_time.h"
#include "src/snapshot/order.h"
#include "src/snapshot/recorded_facts.h"
#include "src/snapshot/stored_features.h"

namespace dra::snapshot {
namespace {

constexpr std::size_t kDoubledNamed = 3;  // named objects in a warning about many

std::string_view text_in(const json::Value& object, std::string_view key) {
  const json::Value* value = object.find(key);
  return value == nullptr ? std::string_view() : std::string_view(value->text());
}

bool has_pod_template(const json::Value& object) {
  const json::Value* containers = object.at({"spec", "template", "spec", "containers"});
  return containers != nullptr && !containers->items().empty();
}

// Sorts by name and drops the earlier of two objects with one name.
template <class T>
void sort_and_unite(std::vector<T>& objects, std::vector<std::string>& doubled) {
  sort_by_name(objects);
  keep_last(objects, [&doubled](const T& dropped) {
    const api::ObjectMeta& meta = dropped.meta;
    std::string name = base::format("{} {}{}{}", dropped.origin.kind, meta.namespace_,
                                    meta.namespace_.empty() ? "" : "/", meta.name);
    if (doubled.empty() || doubled.back() != name) doubled.push_back(std::move(name));
  });
  objects.shrink_to_fit();
}

// One warning for all duplicates, because all objects of overlapping files may be duplicates.
template <class Objects>
void unite_all(Objects& objects, std::vector<std::string>& warnings) {
  std::vector<std::string> doubled;
  std::apply([&doubled](auto&... some) { (sort_and_unite(some, doubled), ...); }, objects);
  if (doubled.empty()) return;
  if (doubled.size() == 1) {
    warnings.push_back(
        base::format("{} is there more than once; the last one is used", doubled.front()));
    return;
  }
  warnings.push_back(
      base::format("{} objects are there more than once; the last one of each is used: {}",
                   doubled.size(), base::join_first(doubled, kDoubledNamed)));
}

// An object that is left out, though an answer may depend on it: a kind that the program reads in
// another version, or a kind of DRA that no schema has.
bool may_be_missed(std::string_view kind, std::string_view api_version) {
  const std::string_view group = api::group_of(api_version);
  if (api::schema_of(api_version, kind) != nullptr) return false;
  return group == api::kDraGroup ||
         std::ranges::any_of(api::all_kinds(), [&](const api::KindInfo& known) {
           return known.name == kind && known.group == group;
         });
}

// "ResourceClaimList" -> "ResourceClaim"; empty for the plain "List" and for other kinds.
std::string_view item_kind(std::string_view kind) {
  return kind.ends_with("List") ? kind.substr(0, kind.size() - 4) : std::string_view();
}

}  // namespace

Result<Done> Builder::add_text(std::string_view text, const std::string& name) {
  const auto parts = json::unite_yaml(json::divide_stream(text));
  std::size_t documents = 0;  // of JSON, so far
  for (const json::StreamPart& part : parts) {
    const bool alone = parts.size() == 1;
    DRA_TRY(part.looks_like_json ? add_json_part(part, alone, documents).context(name)
                                 : add_yaml(part).context(name));
  }
  return Done{};
}

// YAML may begin with a brace, too: {kind: Node, ...}. If the text is neither, the error is about
// JSON, because it looks like JSON.
Result<Done> Builder::add_json_part(const json::StreamPart& part, bool alone,
                                    std::size_t& documents) {
  const std::vector<std::string_view> texts = json::split_documents(part.text);
  for (const std::string_view& text : texts) {
    ++documents;
    Result<Done> read = add_json(text);
    if (read.ok()) continue;
    const bool is_first = &text == &texts.front();
    if (is_first && !json::parse_json(text).ok() && json::parse_yaml(part.text).ok())
      return add_yaml(part);
    const bool told = alone && texts.size() == 1;
    const std::string place = told ? "" : base::format("document {}: ", documents);
    return Error{ErrorKind::BadInput, place + read.error().message, read.error().hint};
  }
  return Done{};
}

Result<Done> Builder::add_manifest(std::string_view text, const std::string& name,
                                   std::string_view ns) {
  planned_in_ = texts_->arena.copy(ns);
  Result<Done> added = add_text(text, name);
  planned_in_.reset();
  return added;
}

// The object that was added last replaces the one of the same name.
template <class T>
void Builder::lay_over(std::vector<T>& objects) {
  const T& added = objects.back();
  snapshot_.planned_.push_back({added.origin.kind, added.meta.namespace_, added.meta.name});
  const auto old = std::find_if(objects.begin(), objects.end() - 1, [&added](const T& object) {
    return name_key(object) == name_key(added);
  });
  if (old != objects.end() - 1) objects.erase(old);
}

Result<Done> Builder::add_json(std::string_view text) {
  // Objects that were read before an error are dropped again.
  const auto before =
      std::apply([](const auto&... objects) { return std::array{objects.size()...}; }, objects_);
  texts_->pages.emplace_back(text);
  auto read = json::read_json(texts_->pages.back(), texts_->arena,
                              [this](json::Cursor& root) { add_document(root); });
  if (read.ok()) return read;
  std::size_t kind = 0;
  std::apply(
      [&before, &kind](auto&... objects) {
        const auto shorten = [&before, &kind](auto& some) {
          some.erase(some.begin() + static_cast<std::ptrdiff_t>(before[kind++]), some.end());
        };
        (shorten(objects), ...);
      },
      objects_);
  return read;
}

Result<Done> Builder::add_yaml(const json::StreamPart& part) {
  const auto documents = DRA_TRY(json::parse_yaml(part.text, part.line));
  for (const json::Value& document : documents) {
    DRA_TRY(json::read_tree(document, texts_->arena,
                            [this](json::Cursor& root) { add_document(root); }));
  }
  return Done{};
}

void Builder::add_document(json::Cursor& root) {
  if (root.kind() != json::Kind::Object) {
    root.reading().fail(root.where(), base::format("expected a Kubernetes object, found {}",
                                                   json::name_of(root.kind())));
    return;
  }
  const std::string_view kind = root.peek("kind");
  const std::string_view api_version = root.peek("apiVersion");
  if (kind.empty() && api_version == "v1" && add_items(root, "List", api_version)) {
    snapshot_.warnings_.push_back(
        "a list has no kind: its end is cut off, so that objects may be missing and the last one "
        "may be incomplete");
    return;
  }
  if (kind.empty() || api_version.empty()) {
    root.reading().fail(root.where(), "not a Kubernetes object: apiVersion or kind is missing");
    return;
  }
  if (api_version == kReportVersion) {
    root.reading().fail(
        root.where(),
        base::format(
            "a {} is what this program printed of a cluster, and not the cluster's objects: "
            "write these with the command snapshot",
            kind));
    return;
  }
  if (!kind.ends_with("List")) {
    if (const api::KindInfo* info = api::kind_of(api_version, kind)) {
      add_object(root, *info, api_version);
    } else if (planned_in_) {
      add_unknown(root, kind, api_version);
    } else {
      leave_out(root, kind, api_version);
    }
    return;
  }
  add_items(root, kind, api_version);
}

bool Builder::add_items(json::Cursor& list, std::string_view kind, std::string_view api_version) {
  bool found = false;
  list.members([&](std::string_view key, json::Cursor& member) {
    if (key != "items" || member.kind() != json::Kind::Array) return;
    found = true;
    member.items([&](json::Cursor& item) {
      std::string_view item_version = item.peek("apiVersion");
      std::string_view own_kind = item.peek("kind");
      if (item_version.empty()) item_version = api_version;
      if (own_kind.empty()) own_kind = item_kind(kind);
      if (const api::KindInfo* info = api::kind_of(item_version, own_kind)) {
        add_object(item, *info, item_version);
      } else if (planned_in_ && item.kind() == json::Kind::Object) {
        add_unknown(item, own_kind, item_version);
      } else {
        leave_out(item, own_kind, item_version);
      }
    });
  });
  if (const api::KindInfo* info = api::kind_of(api_version, item_kind(kind)); found && info)
    listed_.insert(info->kind);
  return found;
}

void Builder::leave_out(json::Cursor& object, std::string_view kind, std::string_view api_version) {
  const bool is_object = object.kind() == json::Kind::Object;
  if (is_object && api::is_training_runtime(api_version, kind)) {
    runtimes_.push_back({.tree = json::to_value(object)});
    return;
  }
  if (!is_object || !may_be_missed(kind, api_version)) {
    // Skips the object, so that the text after it can be read.
    if (is_object) object.members([](std::string_view, json::Cursor&) {});
    return;
  }
  const json::Value tree = json::to_value(object);
  const json::Value* name = tree.at({"metadata", "name"});
  auto [place, is_new] = left_out_.try_emplace({std::string(kind), std::string(api_version)});
  if (is_new && name != nullptr) place->second.first = name->text();
  ++place->second.count;
}

void Builder::name_nameless(api::ObjectMeta& meta, std::string_view kind) {
  if (!meta.name.empty()) return;
  const std::size_t place = ++nameless_;
  if (meta.generate_name.empty()) {
    meta.name = texts_->arena.copy(base::format("{}-<{}>", base::lower(kind), place));
    snapshot_.warnings_.push_back(
        base::format("a {} has neither metadata.name nor metadata.generateName; a server refuses "
                     "it; it is called {} here",
                     kind, meta.name));
    return;
  }
  meta.name = texts_->arena.copy(base::format("{}<{}>", meta.generate_name, place));
}

void Builder::add_unknown(json::Cursor& object, std::string_view kind,
                          std::string_view api_version) {
  json::Value tree = json::to_value(object);
  if (api::is_train_job(api_version, kind)) {
    train_jobs_.push_back({std::move(tree), *planned_in_, true});
  } else if (api::is_training_runtime(api_version, kind)) {
    runtimes_.push_back({std::move(tree), *planned_in_, true});
  } else {
    add_planned(object.reading(), tree);
  }
}

void Builder::add_planned(json::Reading& reading, json::Value& tree) {
  const std::string_view kind = text_in(tree, "kind");
  const std::string_view api_version = text_in(tree, "apiVersion");
  auto described = api::described_pods(tree);
  const bool known = described || api::makes_pods(api_version, kind);
  if (!known && !api::is_train_job(api_version, kind) && !has_pod_template(tree)) return;
  auto& workloads = std::get<std::vector<api::Workload>>(objects_);
  api::Workload& added = workloads.emplace_back();
  json::TreeCursor from(reading, tree);
  api::decode(from, added);
  if (known) {
    added.spec.job.pod.reset();  // the table has its templates
    if (described) add_pod_set(reading, described->counts, described->pod_template, added);
    add_pod_sets(reading, tree, added);
  }
  added.origin.api_version = texts_->arena.copy(api_version);
  added.origin.kind = texts_->arena.copy(kind);
  name_nameless(added.meta, added.origin.kind);
  if (added.meta.namespace_.empty()) added.meta.namespace_ = *planned_in_;
  lay_over(workloads);
}

api::PodSet& Builder::add_pod_set(json::Reading& reading, const json::Value& counts,
                                  const json::Value& pod_template, api::Workload& workload) {
  json::TreeCursor from_counts(reading, counts);
  json::TreeCursor from_template(reading, pod_template);
  return workload.spec.pod_sets.emplace_back(api::decode_pod_set(from_counts, from_template));
}

void Builder::add_pod_sets(json::Reading& reading, json::Value& tree, api::Workload& workload) {
  for (const api::PodPlace& place : api::pod_places(tree)) {
    json::Value pods = json::Value::object();
    pods.set("spec", *place.spec);
    if (place.metadata != nullptr) pods.set("metadata", *place.metadata);
    add_pod_set(reading, *place.holder, pods, workload).name = texts_->arena.copy(place.role);
  }
}

void Builder::add_object(json::Cursor& object, const api::KindInfo& kind,
                         std::string_view api_version) {
  if (!expect_object(object)) return;
  with_kind(objects_, kind.kind, [&](auto& objects) {
    auto& added = objects.emplace_back();
    const std::string_view version = api::version_of(api_version);
    const bool may_select = selects_by_class(kind.kind, version);
    if (api::needs_upgrade(kind.kind, version) || may_select) {
      added.origin.raw = object.raw();
      const std::string_view raw = added.origin.raw;
      json::Value tree = json::to_value(object);
      api::to_v1(kind.kind, version, tree);
      if (may_select) drop_class_selector(tree, snapshot_.warnings_);
      json::TreeCursor upgraded(object.reading(), tree);
      api::decode(upgraded, added);
      added.origin.raw = raw;
    } else {
      api::decode(object, added);
    }
    complete(added, kind, api_version);
    if (planned_in_) lay_over(objects);
  });
}

void Builder::set_resource_version(api::Kind kind, std::string version) {
  snapshot_.resource_versions_.emplace_back(kind, std::move(version));
}

void Builder::add_aside(api::Kind kind) { snapshot_.coverage_.add_aside(kind); }

void Builder::add_missing(api::Kind kind, std::string reason) {
  snapshot_.coverage_.add(kind, std::move(reason));
}

bool Builder::has_waiting(base::FunctionRef<bool(const api::PodSpec&)> is_it) const {
  const auto waits = [&is_it](const api::Pod& pod) {
    return pod.spec.node_name.empty() && !pod.finished() && is_it(pod.spec);
  };
  return std::ranges::any_of(std::get<std::vector<api::Pod>>(objects_), waits) ||
         std::ranges::any_of(
             std::get<std::vector<api::Workload>>(objects_), [&](const api::Workload& workload) {
               const auto roles = api::roles_of(workload);
               return workload.origin.kind != api::info_of(api::Kind::DaemonSet).name &&
                      std::ranges::any_of(
                          roles, [&](const api::PodRole& role) { return is_it(role.pod->spec); });
             });
}

bool Builder::has_waiting_volumes() const {
  return has_waiting([](const api::PodSpec& spec) {
    return std::ranges::any_of(spec.volumes, &api::Volume::depends_on_node);
  });
}

bool Builder::has_waiting_groups() const {
  return has_waiting([](const api::PodSpec& spec) { return spec.group.has_value(); });
}

void Builder::add_read(api::Kind kind, std::string_view ns) {
  snapshot_.coverage_.add_read(kind, ns);
}

void Builder::add_refusal(Refusal refusal) { snapshot_.refusals_.push_back(std::move(refusal)); }

Result<Snapshot> Builder::build() && {
  std::vector<api::Kind> all;
  for (const api::KindInfo& kind : api::all_kinds())
    all.push_back(kind.kind);
  return std::move(*this).build(all);
}

// The lists do not move from here on, so the index of events may point into them.
void Builder::hand_over_objects() {
  unite_all(objects_, snapshot_.warnings_);
  pools_.sort();
  std::apply(
      [this](auto&... lists) {
        const auto hand_over = [this](auto& list) {
          using Objects = std::remove_reference_t<decltype(list)>;
          std::get<std::shared_ptr<Objects>>(snapshot_.objects_) =
              std::make_shared<Objects>(std::move(list));
        };
        (hand_over(lists), ...);
      },
      objects_);
  snapshot_.pools_ = std::make_shared<api::PoolNames>(std::move(pools_));
  snapshot_.events_ = std::make_shared<const std::vector<const api::Event*>>(
      by_object(snapshot_.all<api::Event>()));
  snapshot_.texts_.push_back(std::move(texts_));
}

void Builder::warn_of_left_out() {
  for (const auto& [kind_and_version, objects] : left_out_) {
    const auto& [kind, api_version] = kind_and_version;
    const std::string which = objects.count == 1
                                  ? base::format("{} {}", kind, objects.first)
                                  : base::format("{} objects of kind {}, such as {},",
                                                 objects.count, kind, objects.first);
    snapshot_.warnings_.push_back(base::format("{} {} omitted: {} is not a version that is read",
                                               which, objects.count == 1 ? "is" : "are",
                                               api_version));
  }
}

// What a dump holds shows that its gate is on; a server says so itself.
void Builder::infer_gates() {
  Server& server = snapshot_.server_;
  if (server.gates_known) return;
  std::vector<std::string_view> stored;
  const auto release = api::release_of(server.version);
  if (server.assumed && release && release->minor < kStoredFeaturesAreOn)
    stored = stored_features(snapshot_);
  // Releases in which rules for taints are off by default have none.
  if (server.assumed && !snapshot_.all<api::DeviceTaintRule>().empty())
    stored.emplace_back("DRADeviceTaintRules");
  std::ranges::move(gates_of_components(snapshot_.all<api::Pod>(), stored),
                    std::back_inserter(server.gates));
}

Result<Snapshot> Builder::build(std::span<const api::Kind> asked_for,
                                std::span<const api::Kind> aside) && {
  warn_of_left_out();
  hand_over_objects();
  if (const api::ConfigMap* facts = find_recorded_facts(snapshot_.all<api::ConfigMap>())) {
    const RecordedFacts recorded = DRA_TRY(read_recorded_facts(*facts));
    snapshot_.server_ = recorded.server;
    snapshot_.taken_ = recorded.taken;
    for (const Missing& missing : recorded.missing) {
      add_missing(missing.kind, missing.reason);
      add_read(missing.kind, missing.but_in);
    }
    for (const auto& [kind, version] : recorded.resource_versions)
      set_resource_version(kind, version);
  }
  const auto release = newest_kubelet_release(snapshot_.all<api::Node>());
  if (release && snapshot_.server_.assumed) snapshot_.server_.version = *release;
  infer_gates();
  if (snapshot_.opened_) {
    if (const auto newest = newest_time(snapshot_))
      snapshot_.newest_ = std::min(*newest, *snapshot_.opened_);
  }
  snapshot_.coverage_.keep_only(asked_for);
  for (const api::Kind kind : aside)
    snapshot_.coverage_.put_aside(kind);
  std::ranges::sort(snapshot_.resource_versions_);
  return std::move(snapshot_);
}

}  // namespace dra::snapshot
