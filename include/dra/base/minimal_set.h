// include/dra/base/minimal_set.h
//
// A smallest part of a list for which something still holds that holds for the whole: leave any one
// out, and it does not. QuickXplain (U. Junker, AAAI 2004), which asks about k * log(n / k) + k
// times for k of n; of several such parts it prefers those whose members come first.

#pragma once

#include <utility>
#include <vector>

namespace dra::base {

template <class T, class F>
class MinimalSet {
 public:
  // `holds` takes a vector of T, in no certain order. What holds for a set must hold for more of
  // it.
  explicit MinimalSet(F holds) : holds_(std::move(holds)) {}

  // There is at least one, it holds for all, and does not for none.
  std::vector<T> of(const std::vector<T>& all) { return within({}, false, all); }

 private:
  static std::vector<T> together(std::vector<T> a, const std::vector<T>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }

  // What of `items` has to come to `taken`. Of two halves what the second adds to the first, then
  // what the first adds to that. `more`: there is more taken than when it was last asked for.
  std::vector<T> within(const std::vector<T>& taken, bool more, const std::vector<T>& items) {
    if (more && holds_(taken)) return {};
    if (items.size() == 1) return items;
    const auto middle = items.begin() + static_cast<std::ptrdiff_t>(items.size() / 2);
    const std::vector<T> first(items.begin(), middle);
    const std::vector<T> second(middle, items.end());
    const std::vector<T> of_second = within(together(taken, first), true, second);
    const std::vector<T> of_first = within(together(taken, of_second), !of_second.empty(), first);
    return together(of_first, of_second);
  }

  F holds_;
};

// Where it holds for all and not for none.
template <class T, class F>
std::vector<T> minimal_set(const std::vector<T>& all, F holds) {
  return MinimalSet<T, F>(std::move(holds)).of(all);
}

}  // namespace dra::base
