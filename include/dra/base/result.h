// include/dra/base/result.h
//
// How functions fail. An Error says what the program itself could not do: one sentence for the
// user, a hint what to do about it, and a kind that callers may decide on. Result<T> is a value or
// an Error. A fault of a cluster or a manifest is not an Error but a diag::Reason.
//
// Each boundary adds where it was: `return decode(text).context("kubeconfig " + path);` turns
// "line 3: ..." into "kubeconfig PATH: line 3: ...".

#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <variant>

namespace dra {

enum class ErrorKind {
  BadInput,       // the user's input cannot be used: a flag, a file, a manifest
  NotConfigured,  // no cluster is named anywhere
  NotFound,       // the thing named does not exist
  Unauthorized,   // the server does not know who we are (401)
  Denied,         // the server knows, and says no (403)
  NotServed,      // the server has no such API (404 on a group or resource)
  Gone,           // a continue token or resource version has expired (410)
  Unreachable,    // no answer: address, connection, TLS, time-out
  BadAnswer,      // an answer that cannot be read: truncated, not JSON, not Kubernetes
  Server,         // any other refusal by the server
  Io,             // a file that could not be read or written
  Interrupted,    // the user stopped the program
};

struct Error {
  ErrorKind kind = ErrorKind::BadInput;
  std::string message;  // one sentence, no full stop, no trailing line break
  std::string hint;     // what the user can do; may be empty
  // Printed before the message instead of "error", where kubectl's users know other words: "Error
  // from server (NotFound)".
  std::string title = {};
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value)
      : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: implicit on purpose
  Result(Error error)
      : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit on purpose

  bool ok() const { return state_.index() == 0; }
  const T& value() const& { return std::get<0>(state_); }
  T& value() & { return std::get<0>(state_); }
  const Error& error() const { return std::get<1>(state_); }
  T take() && { return std::get<0>(std::move(state_)); }
  Error take_error() && { return std::get<1>(std::move(state_)); }

  // Puts "where: " before the message of an error; a value passes through.
  Result context(const std::string& where) && {
    if (!ok()) std::get<1>(state_).message.insert(0, where + ": ");
    return std::move(*this);
  }

 private:
  std::variant<T, Error> state_;
};

// The value of functions that return nothing but may fail.
struct Done {};

}  // namespace dra

// DRA_TRY(e): the value of e, or return its error from the enclosing function. Not nested, and
// never inside a braced initialiser (g++ 12 would leak the members already built).
#define DRA_TRY(expression)                                                  \
  __extension__({                                                            \
    auto dra_try_result = (expression);                                      \
    if (!dra_try_result.ok()) return std::move(dra_try_result).take_error(); \
    std::move(dra_try_result).take();                                        \
  })

// A bug in this program, never bad input: says where and stops.
#define DRA_CHECK(condition)                                                    \
  do {                                                                          \
    if (!(condition)) {                                                         \
      std::fprintf(stderr, "bug: %s:%d: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                             \
    }                                                                           \
  } while (false)
