// include/dra/session/http.h
//
// Requests to one server, several at once in one thread: start() some, then wait() for the one that
// is done next. It knows connections, TLS and bytes, but nothing of Kubernetes: a 404 is a response
// here; an Error means that there was no complete response.
//
// The program changes nothing in a cluster, and this is the place that enforces it: a request that
// is no GET must have dryRun=All in its query.
//
// Rules for every request: TLS 1.2 or newer; redirects are not followed; no cookies, no .netrc;
// credentials go over https only, as in client-go, and never to a proxy; headers and bodies are
// limited in size, bodies after decompression and in all; a server that stalls is given up, and so
// is a request that takes longer than kLongestRequest. Always HTTP/1.1; transfer.cpp says why. Only
// a request that the server holds open, as for a watch, may be silent for longer.
//
// As in client-go (rest/request.go, rest/with_retry.go), a request is sent again when the server
// asks for it, by a Retry-After with 429 or 500 and above, and when the connection ends before a
// byte of the answer. Unlike in client-go, it is also sent again after a 401, once, if the
// connection's Authenticator has other credentials then.
//
// The first start() initialises the library below, so a command without a server does not pay for
// it. Not thread-safe.

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

// Receives lines about requests as `verbosity` asks for them, by kubectl's levels: 4 retries with
// their reasons; 6 each request and its outcome, 7 the headers sent, 8 the headers received. No
// level shows credentials or bodies.
struct Log {
  int verbosity = 0;
  std::function<void(std::string_view line)> write = {};
};

// Limits of retries. client-go has the same `most`, but waits as long as the server asks.
struct Retries {
  int most = 10;
  std::int64_t most_seconds = 60;                      // of all pauses of a request
  base::Duration second = base::Duration::seconds(1);  // tests make it shorter
};

// The time of a request if --request-timeout does not give another one. A server that sends a byte
// now and then must not keep us for ever.
inline constexpr base::Duration kLongestRequest = base::Duration::seconds(300);

struct HttpOptions {
  std::string user_agent = "kubectl-dra";
  // Of all answers together, after decompression: a server that sends without end must not fill the
  // memory. KUBECTL_DRA_MAX_READ raises it.
  std::size_t max_bytes = std::size_t{160} << 20U;
  Log log = {};
  // Receives the text of each warning of the server (`Warning: 299`), in the order of arrival. It
  // is the server's text and must be cleaned before it is printed.
  std::function<void(std::string_view text)> on_warning = {};
  Retries retries = {};
  // Called several times a second while wait() waits.
  std::function<void()> on_wait = {};
};

struct Response {
  int status = 0;
  base::Page body = {};       // sealed
  std::string location = {};  // where a redirect points to
};

// Method and body of a request that is no GET.
struct Sent {
  std::string method;  // "POST"
  std::string json;
};

// Settings of a single request.
struct RequestOptions {
  std::optional<Sent> sent = {};
  // Receives the body of a 200 as it arrives; the response has none then. False: the rest is not
  // needed and not read.
  std::function<bool(std::string_view bytes)> on_body = {};
  std::size_t max_body = 0;    // of this answer, if not 0
  base::Duration within = {};  // of the whole request, if not 0
  bool once = false;           // no retries, even if the server asks for one
  bool wire = false;           // asks for protobuf (base/wire.h); a server may answer with JSON
  // The server holds the answer open and sends when there is something to send, as for a watch:
  // silence is not a stall, --request-timeout is not for it, and it takes none of the turns of
  // kMaxInFlight. Needs `within`.
  bool held = false;
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
  // More requests than this wait for their turn, because API servers limit each client.
  static constexpr std::size_t kMaxInFlight = 8;

  Http(Connection connection, HttpOptions options);
  ~Http();
  Http(Http&&) noexcept;
  Http& operator=(Http&&) noexcept;

  const Connection& connection() const;
  // All credentials that requests were sent with so far, to mask them in text of the server.
  const Secrets& secrets() const;

  // `path_and_query` begins with a slash and is sent below the prefix of the server's address.
  RequestId start(std::string_view path_and_query, RequestOptions options = {});

  // Sends what was started, without waiting for answers. wait() does it, too.
  void push();

  // Bytes of answers that are no longer kept, and do not count for max_bytes.
  void release(std::size_t bytes);

  // The next request that is done, in no particular order. No value: none is left.
  std::optional<Finished> wait();

  // The same, but returns without a value as soon as bytes arrived or time passed: `most`, or less.
  // For requests whose body is received by on_body.
  std::optional<Finished> wait_for(base::Duration most);

 private:
  class Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace dra::session
