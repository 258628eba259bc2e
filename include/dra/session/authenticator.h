// include/dra/session/authenticator.h
//
// Credentials that can change while the program works: those of a credential plugin, which expire,
// and those in a file that somebody else renews. Whoever sends requests asks for the current ones
// before each, and says when the server refused them.

#pragma once

#include <string>

#include "dra/base/result.h"

namespace dra::session {

// What a request is sent with. Either part may be empty; a certificate always has its key.
struct Credentials {
  std::string token = {};
  std::string client_certificate_pem = {};
  std::string client_key_pem = {};

  friend bool operator==(const Credentials&, const Credentials&) = default;
};

class Authenticator {
 public:
  virtual ~Authenticator() = default;

  // The credentials of now; got anew when there are none yet, or when they have expired. May run a
  // program and wait for a person. Not thread-safe.
  virtual Result<Credentials> current() = 0;

  // The server answered 401 to a request with these. True if current() will now get others than
  // these, so that to ask once more makes sense.
  virtual bool refused(const Credentials& used) = 0;
};

}  // namespace dra::session
