// src/snapshot/state_between.cpp: compares objects by resource version first, then by their text
// without fields that a server changes by itself.

#include "dra/snapshot/state_between.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "dra/api/device_class.h"
#include "dra/api/taint_rule.h"
#include "dra/json/parse.h"
#include "dra/json/write.h"
#include "dra/snapshot/draft.h"
#include "src/snapshot/order.h"
#include "src/snapshot/recorded_fields.h"

namespace dra::snapshot {
namespace {

template <class T>
struct Tag {
  using Type = T;
  api::Kind kind;
};

// Calls `on_kind` for each compared kind; events are compared separately.
template <class F>
void for_each_kind(F on_kind) {
  on_kind(Tag<api::ResourceClaim>{api::Kind::Claim});
  on_kind(Tag<api::DeviceClass>{api::Kind::Class});
  on_kind(Tag<api::Namespace>{api::Kind::Namespace});
  on_kind(Tag<api::Node>{api::Kind::Node});
  on_kind(Tag<api::Pod>{api::Kind::Pod});
  on_kind(Tag<api::ResourceSlice>{api::Kind::Slice});
  on_kind(Tag<api::DeviceTaintRule>{api::Kind::TaintRule});
  on_kind(Tag<api::ResourceClaimTemplate>{api::Kind::Template});
}

// Reasons of events of the kubelet and the claim controller that no object shows.
constexpr std::array<std::string_view, 2> kTelling = {"FailedPrepareDynamicResources",
                                                      "FailedResourceClaimCreation"};

bool may_differ(const api::Event& event) {
  return event.type == "Warning" && std::ranges::find(kTelling, event.reason) != kTelling.end();
}
template <class T>
bool may_differ(const T&) {
  return true;
}

// Equal texts for objects that are equal for the scheduler.
std::string essence(const api::Origin& origin) {
  auto tree = json::parse_json(origin.raw);
  DRA_CHECK(tree.ok());  // the same text was decoded before
  // Items of a server's list have neither field, and keep the server's order of keys; a recording
  // has both fields and sorted keys.
  keep_recorded_fields(tree.value(), origin.api_version, origin.kind);
  tree.value().remove("apiVersion");
  tree.value().remove("kind");
  json::sort_keys(tree.value());
  if (json::Value* meta = tree.value().find("metadata")) {
    meta->remove("resourceVersion");
    meta->remove("managedFields");
    meta->remove("generation");
  }
  if (origin.kind == "Node") {
    if (json::Value* status = tree.value().find("status")) status->remove("conditions");
  }
  return json::write_json(tree.value(), json::Style::Compact);
}

template <class T>
bool same(const T& before, const T& after) {
  const bool versions = !before.meta.resource_version.empty() && !before.meta.uid.empty();
  if (versions && before.meta.uid == after.meta.uid &&
      before.meta.resource_version == after.meta.resource_version)
    return true;
  return before.origin.raw == after.origin.raw || essence(before.origin) == essence(after.origin);
}

// Both lists are sorted by name.
template <class T>
void compare(api::Kind kind, const Snapshot& before, const Snapshot& after,
             std::vector<Difference>& out) {
  const std::vector<T>& old = before.all<T>();
  auto was = old.begin();
  const auto add = [&](const T& object, Fate fate) {
    if (!may_differ(object)) return;
    out.push_back({kind, object.meta.namespace_, object.meta.name, fate});
  };
  for (const T& is : after.all<T>()) {
    for (; was != old.end() && name_key(*was) < name_key(is); ++was)
      add(*was, Fate::Removed);
    if (was == old.end() || name_key(is) < name_key(*was)) {
      add(is, Fate::Added);
      continue;
    }
    if (may_differ(is) && !same(*was, is)) add(is, Fate::Changed);
    ++was;
  }
  for (; was != old.end(); ++was)
    add(*was, Fate::Removed);
}

// Replaces the taken objects in a draft of the earlier state.
template <class T>
void adopt_taken(api::Kind kind, const Snapshot& after, std::span<const Difference> taken,
                 Draft& draft) {
  std::set<std::pair<std::string_view, std::string_view>> names;
  for (const Difference& one : taken) {
    if (one.kind == kind) names.emplace(one.namespace_, one.name);
  }
  const auto is_taken = [&](const T& object) {
    return !names.empty() && names.contains({object.meta.namespace_, object.meta.name});
  };
  draft.remove_if<T>([&](const T& object) { return !may_differ(object) || is_taken(object); });
  if (names.empty()) return;
  draft.copy_if<T>(after, [&](const T& object) { return may_differ(object) && is_taken(object); });
}

}  // namespace

std::vector<Difference> differences(const Snapshot& before, const Snapshot& after) {
  std::vector<Difference> all;
  for_each_kind(
      [&](auto tag) { compare<typename decltype(tag)::Type>(tag.kind, before, after, all); });
  return all;
}

std::vector<Difference> event_differences(const Snapshot& before, const Snapshot& after) {
  std::vector<Difference> events;
  if (before.coverage().saw(api::Kind::Event) && after.coverage().saw(api::Kind::Event))
    compare<api::Event>(api::Kind::Event, before, after, events);
  return events;
}

std::vector<std::string_view> changed_parts(const api::Origin& before, const api::Origin& after) {
  auto old = json::parse_json(before.raw);
  auto now = json::parse_json(after.raw);
  DRA_CHECK(old.ok() && now.ok());  // the same texts were decoded before
  // One of them may come from a recording, which has no others.
  keep_recorded_fields(old.value(), before.api_version, before.kind);
  keep_recorded_fields(now.value(), after.api_version, after.kind);
  json::sort_keys(old.value());
  json::sort_keys(now.value());
  const auto text = [](const json::Value* value, const char* part) {
    if (value != nullptr) value = value->find(part);
    return value == nullptr ? std::string() : json::write_json(*value, json::Style::Compact);
  };
  std::vector<std::string_view> parts;
  for (const char* part : {"spec", "status"}) {
    if (text(&old.value(), part) != text(&now.value(), part)) parts.emplace_back(part);
  }
  for (const char* part : {"labels", "annotations"}) {
    if (text(old.value().find("metadata"), part) != text(now.value().find("metadata"), part))
      parts.emplace_back(part);
  }
  return parts;
}

Snapshot state_between(const Snapshot& before, const Snapshot& after,
                       std::span<const Difference> taken) {
  Draft draft = Draft::without_objects(after);
  draft.share_texts(before);
  for_each_kind([&](auto tag) { draft.share<typename decltype(tag)::Type>(before); });
  draft.share<api::Event>(before);
  draft.share_further(after);
  for_each_kind(
      [&](auto tag) { adopt_taken<typename decltype(tag)::Type>(tag.kind, after, taken, draft); });
  adopt_taken<api::Event>(api::Kind::Event, after, taken, draft);
  return std::move(draft).finish();
}

}  // namespace dra::snapshot
