// src/session/curl_linked.cpp: libcurl in the static program, instead of curl_library.cpp.

#include "src/session/curl_library.h"

#include <unistd.h>

namespace dra::session {
namespace {

// Where distributions keep the certificates that the machine trusts, in the order in which Go's
// crypto/x509 (root_linux.go) looks for them. The first that exists counts. A shared libcurl knows
// the one of its distribution.
constexpr const char* kTrusted[] = {"/etc/ssl/certs/ca-certificates.crt",
                                    "/etc/pki/tls/certs/ca-bundle.crt",
                                    "/etc/ssl/ca-bundle.pem",
                                    "/etc/pki/tls/cacert.pem",
                                    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
                                    "/etc/ssl/cert.pem"};

CURL* init_with_trusted() {
  CURL* easy = ::curl_easy_init();
  if (easy == nullptr) return nullptr;
  for (const char* file : kTrusted) {
    if (::access(file, R_OK) != 0) continue;
    if (::curl_easy_setopt(easy, CURLOPT_CAINFO, file) == CURLE_OK &&
        ::curl_easy_setopt(easy, CURLOPT_PROXY_CAINFO, file) == CURLE_OK)
      return easy;
    ::curl_easy_cleanup(easy);  // out of memory
    return nullptr;
  }
  return easy;
}

constexpr Curl kLinked = {.easy_cleanup = &::curl_easy_cleanup,
                          .easy_getinfo = &::curl_easy_getinfo,
                          .easy_init = &init_with_trusted,
                          .easy_setopt = &::curl_easy_setopt,
                          .easy_strerror = &::curl_easy_strerror,
                          .global_cleanup = &::curl_global_cleanup,
                          .global_init = &::curl_global_init,
                          .multi_add_handle = &::curl_multi_add_handle,
                          .multi_cleanup = &::curl_multi_cleanup,
                          .multi_info_read = &::curl_multi_info_read,
                          .multi_init = &::curl_multi_init,
                          .multi_perform = &::curl_multi_perform,
                          .multi_poll = &::curl_multi_poll,
                          .multi_remove_handle = &::curl_multi_remove_handle,
                          .slist_append = &::curl_slist_append,
                          .slist_free_all = &::curl_slist_free_all};

}  // namespace

Result<const Curl*> load_curl() { return &kLinked; }

const Curl& curl() { return kLinked; }

}  // namespace dra::session
