// tests/fuzz/exec_fuzz.cpp
//
// Whatever a credential plugin prints is credentials that can be used, or refused in words that do
// not repeat it.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "src/session/exec_credential.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const auto answer = dra::session::read_exec_answer(text, "client.authentication.k8s.io/v1");
  if (!answer.ok()) {
    // Words of ours are shorter than this; a piece of the input could be longer.
    constexpr std::size_t longest = 256;
    DRA_CHECK(!answer.error().message.empty() && answer.error().message.size() < longest);
    return 0;
  }
  const dra::session::Credentials& credentials = answer.value().credentials;
  DRA_CHECK(!credentials.token.empty() || !credentials.client_certificate_pem.empty());
  DRA_CHECK(credentials.client_certificate_pem.empty() == credentials.client_key_pem.empty());
  DRA_CHECK(credentials.token.find_first_of("\r\n") == std::string::npos);
  return 0;
}
