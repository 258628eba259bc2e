// include/dra/base/minimal_set.h
//
// Minimal subsets. A condition holds for a whole list; the result is a subset for which it still
// holds, and no longer holds if any member is left out. Such a subset is minimal, not always the
// smallest one. QuickXplain (U. Junker, AAAI 2004) evaluates the condition about k * log(n / k) + k
// times to find k members of n. Of several minimal subsets it prefers one whose members come first.

#pragma once

#include <utility>
#include <vector>

namespace dra::base {

template <class T, class F>
class MinimalSet {
 public:
  // `holds` takes a vector of T, in no certain order. It must be monotone: if it holds for a set,
  // it holds for every larger one.
  explicit MinimalSet(F holds) : holds_(std::move(holds)) {}

  // The condition must hold for all items, and must not hold for the empty set.
  std::vector<T> of(const std::vector<T>& all) { return within({}, false, all); }

 private:
  static std::vector<T> together(std::vector<T> a, const std::vector<T>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }

  // The items that are needed in addition to `taken`: first those of the second half, given the
  // first half; then those of the first half, given these. `more`: `taken` has grown since the
  // condition was last evaluated.
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

// See MinimalSet.
template <class T, class F>
std::vector<T> minimal_set(const std::vector<T>& all, F holds) {
  return MinimalSet<T, F>(std::move(holds)).of(all);
}

}  // namespace dra::base
