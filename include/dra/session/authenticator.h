// include/dra/session/authenticator.h
//
// Credentials that can change while the program runs: those of a credential plugin, which expire,
// and those in a file that another program renews. The sender of requests asks for the current ones
// before each request, and reports when the server refused them.

#pragma once

#include <string>

#include "dra/base/result.h"

namespace dra::session {

// The credentials of a request. Either part may be empty; a certificate always has its key.
struct Credentials {
  std::string token = {};
  std::string client_certificate_pem = {};
  std::string client_key_pem = {};

  friend bool operator==(const Credentials&, const Credentials&) = default;
};

class Authenticator {
 public:
  virtual ~Authenticator() = default;

  // The current credentials. Fetched if there are none yet, or if they have expired. May run a
  // program and wait for a person. Not thread-safe.
  virtual Result<Credentials> current() = 0;

  // The server answered 401 to a request with these. True if current() now returns others, so that
  // another attempt makes sense.
  virtual bool refused(const Credentials& used) = 0;
};

}  // namespace dra::session
