// tests/support/scripted_server.h
//
// An HTTP/1.1 server on a loopback port, inside the test. The test's handler decides the bytes of
// each answer, so it can lie about lengths, close in the middle or answer in no HTTP at all. Every
// connection has its own thread: handlers run concurrently, and may wait for each other.

#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/support/certificates.h"

struct ssl_ctx_st;

namespace dra::support {

struct ScriptedRequest {
  std::string target;                          // path and query
  std::map<std::string, std::string> headers;  // names in lower case
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
};

class ScriptedServer {
 public:
  using Handler = std::function<ScriptedAnswer(const ScriptedRequest&)>;

  explicit ScriptedServer(Handler handler);
  ScriptedServer(Handler handler, const ScriptedTls& tls);
  ~ScriptedServer();
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  std::uint16_t port() const { return port_; }
  // What has been asked so far, in order of arrival.
  std::vector<ScriptedRequest> requests() const;

 private:
  void listen();
  void accept_all();
  void serve(int socket);

  Handler handler_;
  ssl_ctx_st* tls_ = nullptr;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  mutable std::mutex mutex_;
  std::vector<ScriptedRequest> requests_;
  std::vector<int> sockets_;
  std::list<std::thread> connections_;
  std::thread acceptor_;
};

}  // namespace dra::support
