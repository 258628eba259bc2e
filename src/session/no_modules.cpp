// src/session/no_modules.cpp: what a static program must not do, refused.
//
// A static glibc still loads modules of the machine's glibc for names of hosts and users, and
// OpenSSL still loads modules of its own. Both would have to be of the very release that is linked.
// The program needs neither: c-ares looks up hosts, and OpenSSL has what TLS needs. These take the
// place of the functions in the C library, so that what OpenSSL has for other programs cannot load
// anything here.

#include <dlfcn.h>
#include <netdb.h>

#include <cerrno>
#include <cstddef>

extern "C" {

// The linker's --wrap gives it the calls of dlopen, which glibc links in any case.
void* __wrap_dlopen(const char*, int);
void* __wrap_dlopen(const char*, int) { return nullptr; }
void* dlsym(void*, const char*) { return nullptr; }
int dlclose(void*) { return 0; }
char* dlerror() {
  static char message[] = "a static program loads nothing";
  return message;
}
int dladdr(const void*, Dl_info*) { return 0; }

int getaddrinfo(const char*, const char*, const addrinfo*, addrinfo**) { return EAI_FAIL; }
void freeaddrinfo(addrinfo*) {}
const char* gai_strerror(int) { return "a static program asks c-ares"; }
int getnameinfo(const sockaddr*, socklen_t, char*, socklen_t, char*, socklen_t, int) {
  return EAI_FAIL;
}
hostent* gethostbyname(const char*) { return nullptr; }
servent* getservbyname(const char*, const char*) { return nullptr; }
int getservbyport_r(int, const char*, servent*, char*, std::size_t, servent** found) {
  *found = nullptr;
  return ENOENT;
}

}  // extern "C"
