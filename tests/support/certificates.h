// tests/support/certificates.h
//
// Certificates made for a test: a CA of its own and what it signs, as PEM text.

#pragma once

#include <memory>
#include <string>

struct x509_st;

namespace dra::support {

struct Identity {
  std::string certificate_pem;
  std::string key_pem;
};

std::string pem_of(x509_st* certificate);

class TestCa {
 public:
  explicit TestCa(const char* name = "test CA");
  ~TestCa();
  TestCa(const TestCa&) = delete;
  TestCa& operator=(const TestCa&) = delete;

  const std::string& certificate_pem() const { return certificate_pem_; }

  // The CA's own certificate, which is signed with its own key.
  Identity identity() const;

  // `names` as OpenSSL writes alternative names: "IP:127.0.0.1" or "DNS:server.test". Valid from
  // now for `seconds`, which may be negative: then it has expired.
  Identity issue(const std::string& names, long seconds = 3600) const;

 private:
  struct Keys;
  std::unique_ptr<Keys> keys_;
  std::string certificate_pem_;
};

}  // namespace dra::support
