// tests/support/scripted_proxy.h
//
// A proxy on a loopback port: HTTP with CONNECT, or SOCKS5. Whatever it is asked for it connects to
// one port, so that clients can ask for names that do not exist.

#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "tests/support/loopback_listener.h"

namespace dra::support {

class ScriptedProxy {
 public:
  enum class Kind { Connect, Socks5 };
  struct Script {
    Kind kind = Kind::Connect;
    std::uint16_t target = 0;
    int refuse = 0;           // the status of CONNECT, or the reply of SOCKS, to refuse with
    bool wants_user = false;  // of SOCKS: user name and password, whichever they are
  };

  explicit ScriptedProxy(const Script& script);
  std::uint16_t port() const { return listener_.port(); }
  // What each client has asked for: the head of its CONNECT, or `TYPE host:port user:password` with
  // the type of address that SOCKS has (1 IPv4, 3 a name, 4 IPv6).
  std::vector<std::string> asked() const;

 private:
  void serve(int client);
  bool greet_connect(int client);
  bool greet_socks(int client);
  void note(const std::string& what);

  Script script_;
  mutable std::mutex mutex_;
  std::vector<std::string> asked_;
  LoopbackListener listener_;  // last: its threads use all the others
};

}  // namespace dra::support
