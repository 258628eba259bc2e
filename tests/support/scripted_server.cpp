// tests/support/scripted_server.cpp: see scripted_server.h.

#include "tests/support/scripted_server.h"

#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <utility>

namespace dra::support {
namespace {

void must(bool done) {
  if (!done) std::abort();
}

struct Free {
  void operator()(SSL* ssl) const { SSL_free(ssl); }
  void operator()(BIO* bio) const { BIO_free(bio); }
  void operator()(X509* certificate) const { X509_free(certificate); }
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};

// One connection, with or without TLS.
class Stream {
 public:
  Stream(int socket, SSL_CTX* tls) : socket_(socket) {
    if (tls == nullptr) return;
    ssl_.reset(SSL_new(tls));
    SSL_set_fd(ssl_.get(), socket);
    open_ = SSL_accept(ssl_.get()) == 1;
  }

  bool open() const { return open_; }

  // Reads to the end of the request's headers; false at the end of the connection.
  bool read_head(std::string& head) {
    std::size_t end = 0;
    while ((end = pending_.find("\r\n\r\n")) == std::string::npos) {
      if (!read_more()) return false;
      // A greeting in TLS on a port without: Go's servers answer it at once, and so does this one.
      if (!ssl_ && pending_.front() == '\x16') pending_ = "GET tls HTTP/1.1\r\n\r\n";
    }
    head = pending_.substr(0, end + 2);
    pending_.erase(0, end + 4);
    return true;
  }

  bool read_body(std::size_t size, std::string& body) {
    while (pending_.size() < size) {
      if (!read_more()) return false;
    }
    body = pending_.substr(0, size);
    pending_.erase(0, size);
    return true;
  }

  bool write(std::string_view text) {
    if (!ssl_) return send_all(socket_, text.data(), text.size());
    return text.empty() ||
           SSL_write(ssl_.get(), text.data(), static_cast<int>(text.size())) > 0;  // all of it
  }

  // Empty without TLS, and of clients that have none.
  std::string client_certificate_pem() const {
    if (!ssl_) return {};
    const std::unique_ptr<X509, Free> certificate(SSL_get1_peer_certificate(ssl_.get()));
    return certificate ? pem_of(certificate.get()) : std::string();
  }

 private:
  bool read_more() {
    std::array<char, 4096> buffer{};
    const int size = static_cast<int>(buffer.size());
    const auto count = ssl_ ? SSL_read(ssl_.get(), buffer.data(), size)
                            : ::recv(socket_, buffer.data(), buffer.size(), 0);
    if (count <= 0) return false;
    pending_.append(buffer.data(), static_cast<std::size_t>(count));
    return true;
  }

  int socket_;
  std::unique_ptr<SSL, Free> ssl_;
  std::string pending_;
  bool open_ = true;
};

ScriptedRequest parse_head(const std::string& head) {
  ScriptedRequest request;
  request.method = head.substr(0, head.find(' '));
  const std::size_t start = head.find(' ') + 1;
  request.target = head.substr(start, head.find(' ', start) - start);
  std::size_t at = head.find("\r\n") + 2;
  while (at < head.size()) {
    const std::size_t end = head.find("\r\n", at);
    const std::string line = head.substr(at, end - at);
    at = end + 2;
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    std::string name = line.substr(0, colon);
    for (char& c : name)
      c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const std::string value = line.substr(std::min(line.size(), colon + 2));
    const auto [known, added] = request.headers.emplace(name, value);
    if (!added) known->second += ", " + value;
  }
  return request;
}

SSL_CTX* tls_context(const ScriptedTls& tls) {
  // SSL_write has no flag to keep a client that went away from raising the signal.
  must(std::signal(SIGPIPE, SIG_IGN) != SIG_ERR);
  SSL_CTX* context = SSL_CTX_new(TLS_server_method());
  const auto bio_of = [](const std::string& pem) {
    return std::unique_ptr<BIO, Free>(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  };
  const auto certificate_of = [&](const std::string& pem) {
    return std::unique_ptr<X509, Free>(
        PEM_read_bio_X509(bio_of(pem).get(), nullptr, nullptr, nullptr));
  };
  const std::unique_ptr<EVP_PKEY, Free> key(
      PEM_read_bio_PrivateKey(bio_of(tls.identity.key_pem).get(), nullptr, nullptr, nullptr));
  must(SSL_CTX_use_certificate(context, certificate_of(tls.identity.certificate_pem).get()) == 1);
  must(SSL_CTX_use_PrivateKey(context, key.get()) == 1);
  if (!tls.client_ca_pem.empty()) {
    X509_STORE_add_cert(SSL_CTX_get_cert_store(context), certificate_of(tls.client_ca_pem).get());
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  }
  if (tls.only_1_1) {
    // OpenSSL has this version only where nobody asks for security.
    SSL_CTX_set_security_level(context, 0);
    must(SSL_CTX_set_min_proto_version(context, TLS1_1_VERSION) == 1);
    must(SSL_CTX_set_max_proto_version(context, TLS1_1_VERSION) == 1);
  }
  return context;
}

}  // namespace

ScriptedAnswer answer(int status, std::string_view body, std::string_view headers) {
  std::string bytes = "HTTP/1.1 " + std::to_string(status) + " Scripted\r\n";
  bytes += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  bytes += headers;
  bytes += "\r\n";
  bytes += body;
  return {bytes};
}

ScriptedServer::ScriptedServer(Handler handler) : handler_(std::move(handler)) { listen(); }

ScriptedServer::ScriptedServer(Handler handler, const ScriptedTls& tls)
    : handler_(std::move(handler)), tls_(tls_context(tls)) {
  listen();
}

void ScriptedServer::listen() {
  listener_ = std::make_unique<LoopbackListener>([this](int socket) { serve(socket); });
}

void ScriptedServer::serve(int socket) {
  Stream stream(socket, tls_);
  std::string head;
  while (stream.open() && stream.read_head(head)) {
    ScriptedRequest request = parse_head(head);
    request.client_certificate_pem = stream.client_certificate_pem();
    const auto length = request.headers.find("content-length");
    const std::size_t size = length == request.headers.end() ? 0 : std::stoul(length->second);
    if (!stream.read_body(size, request.body)) break;
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(request);
    }
    const ScriptedAnswer reply = handler_(request);
    if (!stream.write(reply.bytes) || reply.close) break;
  }
}

std::vector<ScriptedRequest> ScriptedServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

ScriptedServer::~ScriptedServer() {
  listener_.reset();
  SSL_CTX_free(tls_);
}

}  // namespace dra::support
