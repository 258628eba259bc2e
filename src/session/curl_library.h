// src/session/curl_library.h
//
// libcurl, loaded at the first request (curl_library.cpp). Debian's libcurl needs some thirty
// libraries (Kerberos, LDAP, SSH, ...), and loading them takes longer than all the work of help,
// completion or an answer from a file. The static program has it linked (curl_linked.cpp). The only
// header that includes libcurl's.

#pragma once

#include <curl/curl.h>

#include <memory>
#include <string>

#include "dra/base/result.h"

namespace dra::session {

// The functions that we use, under libcurl's names without the prefix.
struct Curl {
  decltype(&::curl_easy_cleanup) easy_cleanup;
  decltype(&::curl_easy_getinfo) easy_getinfo;
  decltype(&::curl_easy_init) easy_init;
  decltype(&::curl_easy_setopt) easy_setopt;
  decltype(&::curl_easy_strerror) easy_strerror;
  decltype(&::curl_global_cleanup) global_cleanup;
  decltype(&::curl_global_init) global_init;
  decltype(&::curl_multi_add_handle) multi_add_handle;
  decltype(&::curl_multi_cleanup) multi_cleanup;
  decltype(&::curl_multi_info_read) multi_info_read;
  decltype(&::curl_multi_init) multi_init;
  decltype(&::curl_multi_perform) multi_perform;
  decltype(&::curl_multi_poll) multi_poll;
  decltype(&::curl_multi_remove_handle) multi_remove_handle;
  decltype(&::curl_slist_append) slist_append;
  decltype(&::curl_slist_free_all) slist_free_all;
};

// Loads it at the first call. Without libcurl it fails and says what to install.
Result<const Curl*> load_curl();

// The functions, after load_curl() has succeeded.
const Curl& curl();

struct EasyDeleter {
  void operator()(CURL* easy) const { curl().easy_cleanup(easy); }
};
struct MultiDeleter {
  void operator()(CURLM* multi) const { curl().multi_cleanup(multi); }
};
struct ListDeleter {
  void operator()(curl_slist* list) const { curl().slist_free_all(list); }
};
using Easy = std::unique_ptr<CURL, EasyDeleter>;
using Multi = std::unique_ptr<CURLM, MultiDeleter>;
using List = std::unique_ptr<curl_slist, ListDeleter>;

// libcurl reports a lack of memory; the rest of the program ends by it.
inline void check_memory(bool enough) {
  if (!enough) throw std::bad_alloc();
}

// Adds a copy of `line` to the end of the list.
inline void append(List& list, const std::string& line) {
  curl_slist* longer = curl().slist_append(list.get(), line.c_str());
  check_memory(longer != nullptr);
  static_cast<void>(list.release());
  list.reset(longer);
}

// The library's own set-up. It counts calls, so each user has an object of its own.
class CurlSession {
 public:
  CurlSession() {
    // Else libcurl would write the keys of all connections to the file that it names.
    ::unsetenv("SSLKEYLOGFILE");
    check_memory(curl().global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK);
  }
  ~CurlSession() { curl().global_cleanup(); }
  CurlSession(const CurlSession&) = delete;
  CurlSession& operator=(const CurlSession&) = delete;
};

}  // namespace dra::session
