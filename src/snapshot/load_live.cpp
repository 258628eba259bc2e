// src/snapshot/load_live.cpp: discovery, then all lists at once, each page decoded as it arrives.

#include "src/snapshot/load_live.h"

#include <algorithm>
#include <optional>

#include "dra/base/text.h"
#include "dra/snapshot/builder.h"

namespace dra::snapshot {
namespace {

// A list to read: what it is for, and in which version it is asked for.
struct Plan {
  const Need* need;
  std::string version;
};

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

// Which version of a kind to ask for: the best one that the server has. DeviceTaintRule is not in
// every version of the group, so the version's own list of resources decides.
Result<std::optional<std::string>> choose_version(session::Client& client,
                                                  const api::KindInfo& kind,
                                                  const session::GroupVersions& served) {
  for (const std::string_view version : kind.versions) {
    if (std::ranges::find(served.versions, version) == served.versions.end()) continue;
    if (kind.kind != api::Kind::TaintRule) return std::optional<std::string>(version);
    const auto resources = DRA_TRY(client.resources(api::api_version_of(kind, version)));
    if (resources.contains(std::string(kind.resource))) return std::optional<std::string>(version);
  }
  return std::optional<std::string>();
}

Result<std::vector<Plan>> plan_lists(session::Client& client, std::span<const Need> needs) {
  std::vector<Plan> plans;
  std::optional<session::GroupVersions> dra;
  for (const Need& need : needs) {
    const api::KindInfo& kind = api::info_of(need.kind);
    if (!kind.is_dra()) {
      plans.push_back({&need, std::string(kind.versions.front())});
      continue;
    }
    if (!dra) dra = DRA_TRY(client.served_versions(api::kDraGroup));
    const auto version = DRA_TRY(choose_version(client, kind, *dra));
    if (version) {
      plans.push_back({&need, *version});
    } else if (kind.kind != api::Kind::TaintRule) {
      return not_served(client);
    }
  }
  return plans;
}

std::string path_of(const Plan& plan) {
  const Need& need = *plan.need;
  std::string path = api::list_path(api::info_of(need.kind), plan.version, need.namespace_);
  if (!need.field_selector.empty())
    path += "?fieldSelector=" + base::url_escape(need.field_selector);
  return path;
}

std::string where(const Need& need) {
  if (!api::info_of(need.kind).namespaced) return "";
  return need.namespace_.empty() ? " in all namespaces" : " in namespace " + need.namespace_;
}

// A refused list is a gap in what we know; anything else that failed ends the command.
Result<Done> note_outcome(const Plan& plan, const Result<session::ListPage>& outcome,
                          Builder& builder) {
  if (outcome.ok()) {
    builder.set_resource_version(plan.need->kind, outcome.value().resource_version);
    return Done{};
  }
  if (outcome.error().kind != ErrorKind::Denied || plan.need->essential) return outcome.error();
  // Not the server's words: they name the user, and the reason may be recorded and passed on.
  const api::KindInfo& kind = api::info_of(plan.need->kind);
  builder.add_missing(kind.kind,
                      base::format("forbidden to list {}{}", kind.resource, where(*plan.need)));
  return Done{};
}

}  // namespace

Result<Snapshot> load_live(const Source& source, std::span<const Need> needs) {
  session::Client client(DRA_TRY(session::resolve_connection(source.flags, source.environment)),
                         source.client);
  const auto plans = DRA_TRY(plan_lists(client, needs));
  std::vector<std::string> paths;
  paths.reserve(plans.size());
  for (const Plan& plan : plans)
    paths.push_back(path_of(plan));

  Builder builder;
  const auto on_page = [&plans, &builder](std::size_t list,
                                          base::Page page) -> Result<session::ListPage> {
    const Plan& plan = plans[list];
    auto meta = DRA_TRY(builder.add_page(std::move(page), plan.need->kind, plan.version));
    return session::ListPage{std::move(meta.continue_token), std::move(meta.resource_version)};
  };
  const auto on_restart = [&plans, &builder](std::size_t list) {
    builder.drop(plans[list].need->kind);
  };
  const auto outcomes = client.list(paths, on_page, on_restart);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    DRA_TRY(note_outcome(plans[i], outcomes[i], builder));
  }
  auto version = client.server_version();
  if (version.ok()) builder.set_server({std::move(version).take(), false});
  return std::move(builder).build();
}

}  // namespace dra::snapshot
