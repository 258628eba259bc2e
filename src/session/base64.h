// src/session/base64.h
//
// Reads the `-data` fields of a kubeconfig, and writes one for credential plugins.

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dra::session {

// The standard alphabet with padding; line breaks are skipped, all else is refused: how Go decodes
// []byte (encoding/base64.StdEncoding).
std::optional<std::string> decode_base64(std::string_view text);

// The standard alphabet with padding, on one line.
std::string encode_base64(std::string_view bytes);

}  // namespace dra::session
