// tests/support/loopback_listener.cpp: see loopback_listener.h.

#include "tests/support/loopback_listener.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>

namespace dra::support {
namespace {

void must(bool done) {
  if (!done) std::abort();
}

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

int new_socket() { return ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0); }

}  // namespace

LoopbackListener::LoopbackListener(Serve serve)
    : serve_(std::move(serve)), listener_(new_socket()) {
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof(address);
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  must(::bind(listener_, generic, size) == 0);
  must(::listen(listener_, 64) == 0);
  must(::getsockname(listener_, generic, &size) == 0);
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { accept_all(); });
}

void LoopbackListener::accept_all() {
  while (true) {
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) return;
    const std::lock_guard lock(mutex_);
    sockets_.push_back(socket);
    connections_.emplace_back([this, socket] {
      serve_(socket);
      ::shutdown(socket, SHUT_RDWR);
    });
  }
}

LoopbackListener::~LoopbackListener() {
  ::shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  ::close(listener_);
  // The acceptor has ended, so nobody adds to the lists; sockets are closed only when no thread can
  // use their numbers any more.
  for (const int socket : sockets_)
    ::shutdown(socket, SHUT_RDWR);
  for (std::thread& connection : connections_)
    connection.join();
  for (const int socket : sockets_)
    ::close(socket);
}

int connect_to_loopback(std::uint16_t port) {
  const int socket = new_socket();
  const sockaddr_in address = loopback(port);
  must(::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0);
  return socket;
}

bool send_all(int socket, const char* bytes, std::size_t count) {
  while (count > 0) {
    const auto sent = ::send(socket, bytes, count, MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes += sent;
    count -= static_cast<std::size_t>(sent);
  }
  return true;
}

}  // namespace dra::support
