// src/session/curl_library.cpp: dlopen() and a look-up of each function by name.

#include "src/session/curl_library.h"

#include <dlfcn.h>

#include <string>

namespace dra::session {
namespace {

constexpr const char* kLibraryName = "libcurl.so.4";

class Loader {
 public:
  Loader() : library_(dlopen(kLibraryName, RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr) {
      const char* why = dlerror();
      problem_ = why == nullptr ? std::string(kLibraryName) : std::string(why);
      return;
    }
#define DRA_LOAD(name) load(functions_.name, "curl_" #name)
    DRA_LOAD(easy_cleanup);
    DRA_LOAD(easy_getinfo);
    DRA_LOAD(easy_init);
    DRA_LOAD(easy_setopt);
    DRA_LOAD(easy_strerror);
    DRA_LOAD(global_cleanup);
    DRA_LOAD(global_init);
    DRA_LOAD(multi_add_handle);
    DRA_LOAD(multi_cleanup);
    DRA_LOAD(multi_info_read);
    DRA_LOAD(multi_init);
    DRA_LOAD(multi_perform);
    DRA_LOAD(multi_poll);
    DRA_LOAD(multi_remove_handle);
    DRA_LOAD(slist_append);
    DRA_LOAD(slist_free_all);
#undef DRA_LOAD
  }

  const std::string& problem() const { return problem_; }
  const Curl& functions() const { return functions_; }

 private:
  template <class F>
  void load(F& function, const char* symbol) {
    function = reinterpret_cast<F>(dlsym(library_, symbol));
    if (function == nullptr && problem_.empty())
      problem_ = std::string(kLibraryName) + " is missing " + symbol;
  }

  void* library_;  // stays loaded as long as the program runs
  Curl functions_{};
  std::string problem_;
};

const Loader& loader() {
  static const Loader once;
  return once;
}

}  // namespace

Result<const Curl*> load_curl() {
  if (loader().problem().empty()) return &loader().functions();
  return Error{ErrorKind::Unreachable, "cannot load libcurl: " + loader().problem(),
               "install it: apt-get install libcurl4"};
}

const Curl& curl() { return loader().functions(); }

}  // namespace dra::session
