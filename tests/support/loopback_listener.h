// tests/support/loopback_listener.h
//
// A port on the loopback, with a thread for each connection: what scripted servers and proxies
// share.

#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

namespace dra::support {

class LoopbackListener {
 public:
  // Serves one connection; it is over when the function returns. Called from several threads.
  using Serve = std::function<void(int socket)>;

  explicit LoopbackListener(Serve serve);
  // Ends all connections, and waits for their threads.
  ~LoopbackListener();
  LoopbackListener(const LoopbackListener&) = delete;
  LoopbackListener& operator=(const LoopbackListener&) = delete;

  std::uint16_t port() const { return port_; }

 private:
  void accept_all();

  Serve serve_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::mutex mutex_;
  std::vector<int> sockets_;
  std::list<std::thread> connections_;
  std::thread acceptor_;
};

// A connection to a port of the loopback.
int connect_to_loopback(std::uint16_t port);

// Sends all of it, or fails.
bool send_all(int socket, const char* bytes, std::size_t count);

}  // namespace dra::support
