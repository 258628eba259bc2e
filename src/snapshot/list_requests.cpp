// src/snapshot/list_requests.cpp: asks for the best version of each kind that the server serves,
// after one request for the versions of a group.

#include "src/snapshot/list_requests.h"

#include <algorithm>
#include <optional>

#include "dra/base/text.h"

namespace dra::snapshot {
namespace {

Error not_served(session::Client& client) {
  const auto version = client.server_version();
  const std::string server = version.ok() ? " (" + version.value() + ")" : "";
  return {
      ErrorKind::NotServed,
      base::format("this server{} does not serve the DRA API, group {}", server, api::kDraGroup),
      "DRA is on by default since Kubernetes v1.34 (v1); before that it needs the feature gate "
      "DynamicResourceAllocation and --runtime-config for v1beta1 (since v1.32) or v1beta2 (since "
      "v1.33)"};
}

// Worded as in kubectl, which takes an unknown version for a part of the group.
Error no_such_resource(const Need& need) {
  const api::KindInfo& kind = api::info_of(need.kind);
  std::string words = base::format("the server doesn't have a resource type \"{}\"", kind.resource);
  if (!need.version.empty()) words += base::format(" in group \"{}.{}\"", need.version, kind.group);
  return {ErrorKind::NotServed, std::move(words), "`kubectl api-versions` lists what it serves"};
}

// The best version of a kind that the server has. DeviceTaintRule is not in every version of the
// group, so the version's own list of resources decides.
Result<std::optional<std::string>> choose_version(session::Client& client, const Need& need,
                                                  const session::GroupVersions& served) {
  const api::KindInfo& kind = api::info_of(need.kind);
  for (const std::string_view version : kind.versions) {
    if (!need.version.empty() && version != need.version) continue;
    if (std::ranges::find(served.versions, version) == served.versions.end()) continue;
    if (kind.kind != api::Kind::TaintRule && !kind.is_custom())
      return std::optional<std::string>(version);
    const auto resources = DRA_TRY(client.resources(api::api_version_of(kind, version)));
    if (resources.contains(std::string(kind.resource))) return std::optional<std::string>(version);
  }
  return std::optional<std::string>();
}

// A need that is there already does for both.
void add_once(const Need& need, std::vector<Need>& needs) {
  const auto same = std::ranges::find_if(
      needs, [&need](const Need& other) { return covers(other, need) && covers(need, other); });
  if (same == needs.end()) {
    needs.push_back(need);
    return;
  }
  same->essential |= need.essential;
  same->aside &= need.aside;
  same->verbatim |= need.verbatim;
}

}  // namespace

bool can_be_tried(const Need& need) {
  const api::KindInfo& kind = api::info_of(need.kind);
  return kind.is_custom() && !kind.is_workload() && !need.essential && need.names.empty() &&
         !need.if_groups_wait;
}

std::string ListRequest::list_path() const {
  std::string path = api::list_path(kind(), version, need.namespace_);
  const auto add = [&path](std::string_view key, std::string_view selector) {
    if (!selector.empty()) path = base::with_parameter(path, key, selector);
  };
  add("fieldSelector", need.field_selector);
  add("labelSelector", need.label_selector);
  return path;
}

std::string ListRequest::object_path(const std::string& name) const {
  return api::list_path(kind(), version, need.namespace_) + "/" + base::url_escape(name);
}

bool is_read_behind(const api::KindInfo& kind) {
  return kind.is_of_volumes() || kind.kind == api::Kind::PodGroup;
}

Needs arrange(std::span<const Need> all) {
  Needs out;
  std::vector<Need> needs;
  for (const Need& need : all)
    add_once(need, need.if_volumes_wait  ? out.of_volumes
                   : need.if_groups_wait ? out.of_groups
                                         : needs);
  for (const Need& need : needs) {
    const bool covered = std::ranges::any_of(
        needs, [&need](const Need& other) { return covers(other, need) && !covers(need, other); });
    (covered ? out.put_back : out.first).push_back(need);
  }
  for (const Need& need : out.put_back) {
    for (Need& wide : out.first)
      wide.verbatim |= need.verbatim && covers(wide, need);
  }
  return out;
}

Result<ListRequests> plan_requests(session::Client& client, std::span<const Need> needs) {
  ListRequests out;
  std::vector<ListRequest>& plans = out.plans;
  std::optional<session::GroupVersions> dra;
  for (const Need& need : needs) {
    const api::KindInfo& kind = api::info_of(need.kind);
    if (can_be_tried(need)) {
      plans.push_back({need, std::string(kind.versions.front())});
      continue;
    }
    if (kind.is_custom()) {
      const auto served = DRA_TRY(client.served_versions(kind.group));
      const auto version = DRA_TRY(choose_version(client, need, served));
      if (version) plans.push_back({need, *version});
      if (!version && need.essential) return no_such_resource(need);
      continue;
    }
    if (!kind.is_dra()) {
      plans.push_back({need, std::string(kind.versions.front())});
      continue;
    }
    if (!dra) dra = DRA_TRY(client.served_versions(api::kDraGroup));
    const auto version = DRA_TRY(choose_version(client, need, *dra));
    const bool may_be_absent = kind.kind == api::Kind::TaintRule && !dra->versions.empty();
    if (version) {
      plans.push_back({need, *version});
    } else if (!need.version.empty() || (may_be_absent && need.essential)) {
      return no_such_resource(need);
    } else if (kind.kind != api::Kind::TaintRule) {
      return not_served(client);
    }
  }
  if (dra) out.dra_versions = std::move(dra->versions);
  return out;
}

}  // namespace dra::snapshot
