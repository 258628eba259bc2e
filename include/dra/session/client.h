// include/dra/session/client.h
//
// An API server for the rest of the program: the versions that it serves, single objects, and
// lists.
//
// A server refuses with a `Status` object that says why. It becomes an Error with kubectl's title
// ("Error from server (Forbidden)") and a kind by which callers decide: Unauthorized and Denied
// (credentials, rights), NotServed and NotFound (version, name), Gone (read again), Server (try
// later), BadAnswer (this is no API server).
//
// Lists come in pages. A server keeps the state that a continue token belongs to for some minutes
// only; then it answers 410 Gone, and the list is read again as a whole (client-go's pager with
// FullListIfExpired; `kubectl get` gives up there).

#pragma once

#include <cstddef>
#include <memory>
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
// List number `list` is read again from its start. The callback must drop its pages so far.
using OnRestart = base::FunctionRef<void(std::size_t list)>;

struct GroupVersions {
  std::vector<std::string> versions =
      {};  // in the server's order; empty if the group is not served
};

// A list to be read: its path with selectors, and whether its pages are understood as protobuf
// (base/wire.h). A server may answer with JSON all the same.
struct ListTarget {
  std::string path;
  bool wire = false;
  bool passed_on = false;  // its pages are not kept by who receives them
};

// A request, with a body if it is no GET.
struct Exchange {
  std::string path = {};  // and query
  std::optional<Sent> sent = {};
};

// Names, and true for gates that are on.
using FeatureGates = std::vector<std::pair<std::string, bool>>;

struct ClientOptions {
  HttpOptions http = {};
  std::size_t page_size = 500;  // kubectl's --chunk-size; 0 asks for whole lists
  // Limits a server that never ends a list, by mistake or on purpose.
  std::size_t max_pages = 100'000;
};

class Client {
 public:
  explicit Client(Connection connection, ClientOptions options = {});
  ~Client();
  Client(Client&&) noexcept;

  const Connection& connection() const { return http_.connection(); }

  // All credentials that were used so far, to mask them in text of the server.
  const Secrets& secrets() const { return http_.secrets(); }

  // Sends all at once. The answers, with any status, are in the order of the requests.
  std::vector<Result<Response>> exchange(std::span<const Exchange> requests);

  // One JSON document. The path begins with a slash and may have a query.
  Result<base::Page> get(const std::string& path_and_query);

  // Reads all lists at once, each page by page. The results are in the order of `lists` and hold
  // the last page's metadata. A list that fails does not stop the others, nor does a callback that
  // fails: its error is the result of its list. Pages of one list come in order, lists interleave.
  // The callbacks must not use the client.
  std::vector<Result<ListPage>> list(std::span<const ListTarget> lists, OnPage on_page,
                                     OnRestart on_restart);

  // A group that the server does not know has no versions; that is no error.
  Result<GroupVersions> served_versions(std::string_view group);

  // The plural names served in `resource.k8s.io/v1`, or in `v1` for the core group, without
  // subresources. NotServed if the server does not know the version.
  Result<std::set<std::string>> resources(std::string_view group_version);

  // Sends the question of server_version(), and with `gates` that of feature_gates(), which the
  // server then answers while others are read. Both ask by themselves where nothing was sent.
  void ask_about_server(bool gates);

  Result<std::string> server_version();  // "v1.37.1"

  // The server's feature gates of DRA, from its metrics, which many users may not read. One attempt
  // with a short limit, because no answer depends on it. Metrics without gates are an error, too.
  Result<FeatureGates> feature_gates();

 private:
  struct Ahead;

  void ask_for_version();
  void ask_for_gates();
  std::optional<Finished> next();
  Result<Response> answer_to_ahead(std::optional<RequestId>& request);

  std::unique_ptr<Ahead> ahead_;  // used by requests of `http_`, which is gone before it
  Http http_;
  std::size_t page_size_;
  std::size_t max_pages_;
  std::size_t max_bytes_;
};

}  // namespace dra::session
