// include/dra/session/client.h
//
// An API server as the rest of the program sees it: what it serves, single objects, and lists.
//
// A server refuses with a `Status` object that says why; here that becomes an Error whose title is
// kubectl's ("Error from server (Forbidden)") and whose kind tells who has to act: Unauthorized and
// Denied (credentials, rights), NotServed and NotFound (version, name), Gone (read again), Server
// (try later), BadAnswer (this is no API server).
//
// Lists come page by page. A server keeps the state that a continue token belongs to for some
// minutes only; then it answers 410 Gone, and the list is read once more, whole (client-go's pager
// with FullListIfExpired; `kubectl get` gives up there).

#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/base/function_ref.h"
#include "dra/base/memory.h"
#include "dra/base/result.h"
#include "dra/session/http.h"
#include "dra/session/list_page.h"

namespace dra::session {

// Decodes a page of list number `list` and keeps what it needs of it.
using OnPage = base::FunctionRef<Result<ListPage>(std::size_t list, base::Page page)>;
// List number `list` is read again from its start: what came of it so far must be dropped.
using OnRestart = base::FunctionRef<void(std::size_t list)>;

struct GroupVersions {
  std::vector<std::string> versions =
      {};  // in the server's order; empty if the group is not served
};

// A request, with a body if it is no GET.
struct Exchange {
  std::string path = {};  // and query
  std::optional<Sent> sent = {};
};

// By name, whether they are on.
using FeatureGates = std::vector<std::pair<std::string, bool>>;

struct ClientOptions {
  HttpOptions http = {};
  std::size_t page_size = 500;  // kubectl's --chunk-size; 0 asks for whole lists
  // A server that never ends a list, by fault or on purpose, must not keep us for ever.
  std::size_t max_pages = 100'000;
};

class Client {
 public:
  explicit Client(Connection connection, ClientOptions options = {});

  const Connection& connection() const { return http_.connection(); }

  // All credentials that were used so far: for text of the server that is shown.
  const Secrets& secrets() const { return http_.secrets(); }

  // All at once; the answers, whatever their status, are in the order of the requests.
  std::vector<Result<Response>> exchange(std::span<const Exchange> requests);

  // One JSON document. The path begins with a slash and may have a query.
  Result<base::Page> get(const std::string& path_and_query);

  // All lists at once, each page by page; the results are in the order of `paths` and hold the last
  // page's metadata. A list that fails does not stop the others, and neither does a callback that
  // does: its error is the result of its list. Pages of one list come in order, lists interleave.
  // The callbacks must not use the client.
  std::vector<Result<ListPage>> list(std::span<const std::string> paths, OnPage on_page,
                                     OnRestart on_restart);

  // A group that the server does not know has no versions; that is no error.
  Result<GroupVersions> served_versions(std::string_view group);

  // The plural names served in `resource.k8s.io/v1`, or in `v1` for the core group, without
  // subresources. NotServed if the server does not know the version.
  Result<std::set<std::string>> resources(std::string_view group_version);

  Result<std::string> server_version();  // "v1.37.1"

  // The server's feature gates of DRA, from its metrics, for which many users have no right. Asked
  // once and not waited for long, as every answer can do without. Fails also where the metrics tell
  // none.
  Result<FeatureGates> feature_gates();

 private:
  Http http_;
  std::size_t page_size_;
  std::size_t max_pages_;
};

}  // namespace dra::session
