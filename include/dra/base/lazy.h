// include/dra/base/lazy.h: a value that is made when it is first asked for.

#pragma once

#include <mutex>
#include <optional>

namespace dra::base {

// The owner stays const, also for several threads: the value is made once, and never changes.
template <class T>
class Lazy {
 public:
  // `make` is called at most once; it returns the value.
  template <class F>
  const T& get(F make) const {
    std::call_once(made_, [&] { value_.emplace(make()); });
    return *value_;
  }

 private:
  mutable std::once_flag made_;
  mutable std::optional<T> value_;
};

}  // namespace dra::base
