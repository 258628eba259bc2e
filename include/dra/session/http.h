// include/dra/session/http.h
//
// Requests to one server, several at once in one thread: start() some, then wait() for whichever is
// done next. It knows connections, TLS and bytes, but nothing of Kubernetes: a 404 is a response
// here; an Error means that there was no complete response.
//
// The program changes nothing in a cluster, and this is where that is held: what is no GET must
// have dryRun=All in its query.
//
// What holds for every request: TLS 1.2 or newer; redirects are not followed; no cookies, no
// .netrc; credentials go over https only, as client-go has it, and never to a proxy; bodies are
// limited in size after decompression; a server that stalls is given up. Always HTTP/1.1; see
// transfer.cpp for why.
//
// As in client-go (rest/request.go, rest/with_retry.go), a request is sent again when the server
// asks for it, by a Retry-After with 429 or 500 and above, and when the connection ends before a
// byte of the answer. Other than client-go, it is also sent again after a 401, once, if the
// connection's Authenticator has other credentials then.
//
// The library below is only initialised by the first start(): a command that needs no server does
// not pay for it. Not thread-safe.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "dra/base/memory.h"
#include "dra/base/result.h"
#include "dra/session/connection.h"
#include "dra/session/redact.h"

namespace dra::session {

// Receives lines about requests if `verbosity` asks for them, by kubectl's levels: 6 the request
// and its outcome, 7 the headers sent, 8 the headers received; 4 what is sent again, and why. No
// level shows credentials or bodies.
struct Log {
  int verbosity = 0;
  std::function<void(std::string_view line)> write = {};
};

// How often and how long a request is sent again. client-go has the same `most`, but waits as long
// as the server likes.
struct Retries {
  int most = 10;
  std::int64_t most_seconds = 60;                      // of all pauses of a request
  base::Duration second = base::Duration::seconds(1);  // how long one lasts; tests make it short
};

struct HttpOptions {
  std::string user_agent = "kubectl-dra";
  std::size_t max_body = std::size_t{2} << 30U;
  Log log = {};
  // Gets the text of each warning of the server (`Warning: 299`), in the order of arrival. It is
  // the server's text: whoever prints it must clean it.
  std::function<void(std::string_view text)> on_warning = {};
  Retries retries = {};
};

struct Response {
  int status = 0;
  base::Page body = {};       // sealed
  std::string location = {};  // where a redirect points to
};

// What a request says that is no GET.
struct Sent {
  std::string method;  // "POST"
  std::string json;
};

// For a request that differs from others.
struct RequestOptions {
  std::optional<Sent> sent = {};
  // Gets the body of a 200 as it arrives; the response has none then. False: that is enough, and
  // the rest is not read.
  std::function<bool(std::string_view bytes)> on_body = {};
  std::size_t max_body = 0;    // instead of HttpOptions::max_body, if not 0
  base::Duration within = {};  // of the whole request, if not 0
  bool once = false;           // it is not sent again, whatever the server asks for
};

using RequestId = std::size_t;

struct Finished {
  RequestId id = 0;
  Result<Response> response;
};

// "Not Found" for 404, empty if unknown: HTTP/2 has no such words.
std::string_view status_text(int status);

class Http {
 public:
  // More requests than this wait for their turn: API servers share their attention among clients.
  static constexpr std::size_t kMaxInFlight = 8;

  Http(Connection connection, HttpOptions options);
  ~Http();
  Http(Http&&) noexcept;
  Http& operator=(Http&&) noexcept;

  const Connection& connection() const;
  // All credentials that requests were sent with so far: for text of the server that is shown.
  const Secrets& secrets() const;

  // `path_and_query` begins with a slash and is sent below the prefix of the server's address.
  RequestId start(std::string_view path_and_query, RequestOptions options = {});

  // The next request that is done, in no particular order; none if none is left.
  std::optional<Finished> wait();

 private:
  class Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace dra::session
