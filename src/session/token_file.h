// src/session/token_file.h
//
// A token in a file that somebody else renews, as Kubernetes does it for pods: the file is read
// again when what was read is nearly a minute old (client-go's transport.NewCachedFileTokenSource),
// and at once when the server refuses the token.

#pragma once

#include <memory>
#include <string>

#include "dra/session/authenticator.h"
#include "dra/session/kubeconfig.h"

namespace dra::session {

struct TokenFile {
  std::string path = {};
  std::string place = {};  // what names the file, for messages
  // What the token is used with: a certificate, and a token for when the file cannot be read. Of a
  // token and a token file the file counts, as in client-go.
  Credentials otherwise = {};
};

std::shared_ptr<Authenticator> make_token_file(TokenFile file, const Environment& environment);

}  // namespace dra::session
