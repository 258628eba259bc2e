// tests/support/scripted_proxy.cpp: see scripted_proxy.h.

#include "tests/support/scripted_proxy.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <string_view>

namespace dra::support {
namespace {

// One byte at a time, as what follows belongs to the server.
bool read_byte(int socket, unsigned char& byte) { return ::recv(socket, &byte, 1, 0) == 1; }

std::string read_bytes(int socket, std::size_t count) {
  std::string bytes;
  unsigned char byte = 0;
  while (bytes.size() < count && read_byte(socket, byte))
    bytes += static_cast<char>(byte);
  return bytes;
}

// A text behind one byte with its length.
std::string read_counted(int socket) {
  unsigned char count = 0;
  return read_byte(socket, count) ? read_bytes(socket, count) : std::string();
}

bool say(int socket, std::string_view text) { return send_all(socket, text.data(), text.size()); }

// Passes on what comes, in one direction; false when it ends.
bool pass(int from, int to) {
  std::array<char, 4096> buffer{};
  const auto count = ::recv(from, buffer.data(), buffer.size(), 0);
  return count > 0 && send_all(to, buffer.data(), static_cast<std::size_t>(count));
}

void tunnel(int client, int server) {
  std::array<pollfd, 2> sockets = {pollfd{client, POLLIN, 0}, pollfd{server, POLLIN, 0}};
  while (::poll(sockets.data(), sockets.size(), -1) > 0) {
    if (sockets[0].revents != 0 && !pass(client, server)) return;
    if (sockets[1].revents != 0 && !pass(server, client)) return;
  }
}

}  // namespace

ScriptedProxy::ScriptedProxy(const Script& script)
    : script_(script), listener_([this](int socket) { serve(socket); }) {}

std::vector<std::string> ScriptedProxy::asked() const {
  const std::lock_guard lock(mutex_);
  return asked_;
}

void ScriptedProxy::note(const std::string& what) {
  const std::lock_guard lock(mutex_);
  asked_.push_back(what);
}

bool ScriptedProxy::greet_connect(int client) {
  std::string head;
  while (!head.ends_with("\r\n\r\n")) {
    const std::string byte = read_bytes(client, 1);
    if (byte.empty()) return false;
    head += byte;
  }
  note(head);
  if (script_.refuse == 0) return say(client, "HTTP/1.1 200 OK\r\nX-From: proxy\r\n\r\n");
  say(client, "HTTP/1.1 " + std::to_string(script_.refuse) + " No\r\nContent-Length: 0\r\n\r\n");
  return false;
}

// RFC 1928 and 1929.
bool ScriptedProxy::greet_socks(int client) {
  read_bytes(client, 1);  // the version
  read_counted(client);   // the methods
  std::string user;
  if (!say(client, script_.wants_user ? "\x05\x02" : std::string_view("\x05\x00", 2))) return false;
  if (script_.wants_user) {
    read_bytes(client, 1);
    user = " " + read_counted(client);
    user += ":" + read_counted(client);
    if (!say(client, std::string_view("\x01\x00", 2))) return false;
  }
  const std::string request = read_bytes(client, 4);
  if (request.size() != 4) return false;
  const int type = request[3];
  const std::string host =
      type == 3 ? read_counted(client) : read_bytes(client, type == 1 ? 4 : 16);
  const std::string port = read_bytes(client, 2);
  if (port.size() != 2) return false;
  const int number =
      static_cast<unsigned char>(port[0]) * 256 + static_cast<unsigned char>(port[1]);
  note(std::to_string(type) + " " + (type == 3 ? host : "") + ":" + std::to_string(number) + user);
  std::string reply("\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00", 10);
  reply[1] = static_cast<char>(script_.refuse);
  return say(client, reply) && script_.refuse == 0;
}

void ScriptedProxy::serve(int client) {
  if (!(script_.kind == Kind::Connect ? greet_connect(client) : greet_socks(client))) return;
  const int server = connect_to_loopback(script_.target);
  tunnel(client, server);
  ::close(server);
}

}  // namespace dra::support
