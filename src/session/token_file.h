// src/session/token_file.h
//
// A token in a file that another program renews, as Kubernetes does for pods. The file is read
// again when the token was read nearly a minute ago (client-go's
// transport.NewCachedFileTokenSource), and at once when the server refuses it.

#pragma once

#include <memory>
#include <string>

#include "dra/session/authenticator.h"
#include "dra/session/kubeconfig.h"

namespace dra::session {

struct TokenFile {
  std::string path = {};
  std::string place = {};  // of the file's name, for messages
  // A certificate to use with the token, and a token for the case that the file cannot be read. If
  // there are both, the token of the file counts, as in client-go.
  Credentials otherwise = {};
};

std::shared_ptr<Authenticator> make_token_file(TokenFile file, const Environment& environment);

}  // namespace dra::session
