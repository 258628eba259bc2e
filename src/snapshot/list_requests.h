// src/snapshot/list_requests.h: the requests to a server that bring what a command needs. Only the
// list of versions is read here.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "dra/session/client.h"
#include "dra/snapshot/load.h"

namespace dra::snapshot {

// One list, or the objects of several names, in one version.
struct ListRequest {
  Need need;
  std::string version;

  const api::KindInfo& kind() const { return api::info_of(need.kind); }
  std::string list_path() const;  // with the selectors as a query
  std::string object_path(const std::string& name) const;
};

// Each need once. Needs that lie within another one are put back: they are only asked for when that
// is refused.
struct Needs {
  std::vector<Need> first;
  std::vector<Need> put_back;
};
Needs arrange(std::span<const Need> needs);

struct ListRequests {
  std::vector<ListRequest> plans;
  std::vector<std::string> dra_versions = {};  // that are served; empty if nobody needed to know
};
// Chooses versions. NotServed as load() says; a kind that is simply absent has no plan.
Result<ListRequests> plan_requests(session::Client& client, std::span<const Need> needs);

// Whether a kind of an add-on may be asked for without knowing that it is served: an answer that it
// is not, or that it is forbidden, then means as little as that there are no objects.
bool can_be_tried(const Need& need);

}  // namespace dra::snapshot
