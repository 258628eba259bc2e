// tests/support/scripted_server.h
//
// An HTTP/1.1 server on a loopback port, inside the test. The test's handler decides the bytes of
// each answer, so it can lie about lengths, close in the middle or answer in no HTTP at all. Every
// connection has its own thread: handlers run concurrently, and may wait for each other.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/certificates.h"
#include "tests/support/loopback_listener.h"

struct ssl_ctx_st;

namespace dra::support {

struct ScriptedRequest {
  std::string method;
  std::string target;  // path and query
  // Names in lower case; values of one name that came repeatedly are joined with `, `.
  std::map<std::string, std::string> headers;
  std::string client_certificate_pem = {};  // what the client has shown of itself
  std::string body = {};
};

struct ScriptedAnswer {
  std::string bytes;  // status line, headers and body, exactly as sent
  bool close = false;
};

// A complete answer. `headers` are lines that end in CRLF.
ScriptedAnswer answer(int status, std::string_view body,
                      std::string_view headers = "Content-Type: application/json\r\n");

struct ScriptedTls {
  Identity identity;
  std::string client_ca_pem = {};  // if set, clients must have a certificate signed by it
  bool only_1_1 = false;           // a version that is no longer safe
};

class ScriptedServer {
 public:
  using Handler = std::function<ScriptedAnswer(const ScriptedRequest&)>;

  explicit ScriptedServer(Handler handler);
  ScriptedServer(Handler handler, const ScriptedTls& tls);
  ~ScriptedServer();
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  std::uint16_t port() const { return listener_->port(); }
  // What has been asked so far, in order of arrival.
  std::vector<ScriptedRequest> requests() const;

 private:
  void listen();
  void serve(int socket);

  Handler handler_;
  ssl_ctx_st* tls_ = nullptr;
  mutable std::mutex mutex_;
  std::vector<ScriptedRequest> requests_;
  std::unique_ptr<LoopbackListener> listener_;
};

}  // namespace dra::support
