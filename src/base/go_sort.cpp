// src/base/go_sort.cpp: see go_sort.h. Go's sort is a pattern-defeating quicksort (package
// sort, zsortinterface.go; arxiv.org/abs/2106.05123): quicksort that notices sorted and reversed
// input and many equal items, sorts short ranges by insertion, and turns to heapsort when its
// pivots are bad. Every choice is repeated here, because each shows in the order of equal items.

#include "dra/base/go_sort.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <utility>

namespace dra::base {
namespace {

constexpr std::size_t kInsertionLength = 12;
constexpr std::size_t kManyItems = 50;  // from here on pivots are medians of medians
constexpr int kMostSwaps = 12;          // of choosing such a pivot: the range is reversed

class GoSort {
 public:
  GoSort(std::size_t count, FunctionRef<bool(std::size_t, std::size_t)> less)
      : order_(count), less_(less) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
  }

  std::vector<std::size_t> sorted() {
    sort(0, order_.size(), static_cast<int>(std::bit_width(order_.size())));
    return std::move(order_);
  }

 private:
  enum class Looks { Unknown, Increasing, Decreasing };
  struct Pivot {
    std::size_t at;
    Looks looks;
  };
  struct Parted {
    std::size_t at;  // of the pivot
    bool was_parted;
  };

  bool less(std::size_t a, std::size_t b) const { return less_(order_[a], order_[b]); }
  void swap(std::size_t a, std::size_t b) { std::swap(order_[a], order_[b]); }

  // The range [a, b). After `bad` unbalanced pivots more it is left to heapsort.
  void sort(std::size_t a, std::size_t b, int bad) {
    bool balanced = true;
    bool was_parted = true;
    for (;;) {
      const std::size_t length = b - a;
      if (length <= kInsertionLength) return insert(a, b);
      if (bad == 0) return heap(a, b);
      if (!balanced) {
        scatter(a, b);
        --bad;
      }
      Pivot pivot = choose(a, b);
      if (pivot.looks == Looks::Decreasing) {
        reverse(a, b);
        pivot = {(b - 1) - (pivot.at - a), Looks::Increasing};
      }
      const bool looks_sorted = balanced && was_parted && pivot.looks == Looks::Increasing;
      if (looks_sorted && insert_some(a, b)) return;
      // The item in front was a pivot: many items are equal to it.
      if (a > 0 && !less(a - 1, pivot.at)) {
        a = part_equal(a, b, pivot.at);
        continue;
      }
      const Parted parted = part(a, b, pivot.at);
      was_parted = parted.was_parted;
      const std::size_t left = parted.at - a;
      const std::size_t right = b - parted.at;
      balanced = std::min(left, right) >= length / 8;
      if (left < right) {
        sort(a, parted.at, bad);
        a = parted.at + 1;
      } else {
        sort(parted.at + 1, b, bad);
        b = parted.at;
      }
    }
  }

  void insert(std::size_t a, std::size_t b) {
    for (std::size_t i = a + 1; i < b; ++i) {
      for (std::size_t j = i; j > a && less(j, j - 1); --j)
        swap(j, j - 1);
    }
  }

  void sift(std::size_t root, std::size_t end, std::size_t first) {
    for (;;) {
      std::size_t child = 2 * root + 1;
      if (child >= end) return;
      if (child + 1 < end && less(first + child, first + child + 1)) ++child;
      if (!less(first + root, first + child)) return;
      swap(first + root, first + child);
      root = child;
    }
  }

  void heap(std::size_t a, std::size_t b) {
    const std::size_t length = b - a;
    for (std::size_t i = (length - 1) / 2 + 1; i-- > 0;)
      sift(i, length, a);
    for (std::size_t i = length; i-- > 0;) {
      swap(a, a + i);
      sift(0, i, a);
    }
  }

  // Swaps three items in the middle with any others, the same ones each time.
  void scatter(std::size_t a, std::size_t b) {
    const std::size_t length = b - a;
    std::uint64_t random = length;
    const std::uint64_t mask = (std::uint64_t{1} << std::bit_width(length)) - 1;
    const std::size_t middle = a + (length / 4) * 2;
    for (std::size_t i = middle - 1; i <= middle + 1; ++i) {
      random ^= random << 13U;
      random ^= random >> 7U;
      random ^= random << 17U;
      std::uint64_t other = random & mask;
      if (other >= length) other -= length;
      swap(i, a + other);
    }
  }

  Pivot choose(std::size_t a, std::size_t b) const {
    const std::size_t quarter = (b - a) / 4;
    std::size_t i = a + quarter;
    std::size_t j = a + quarter * 2;
    std::size_t k = a + quarter * 3;
    int swaps = 0;
    if (b - a >= kManyItems) {
      i = median(i - 1, i, i + 1, swaps);
      j = median(j - 1, j, j + 1, swaps);
      k = median(k - 1, k, k + 1, swaps);
    }
    j = median(i, j, k, swaps);
    if (swaps == 0) return {j, Looks::Increasing};
    return {j, swaps == kMostSwaps ? Looks::Decreasing : Looks::Unknown};
  }

  std::size_t median(std::size_t a, std::size_t b, std::size_t c, int& swaps) const {
    const auto order = [this, &swaps](std::size_t& x, std::size_t& y) {
      if (!less(y, x)) return;
      ++swaps;
      std::swap(x, y);
    };
    order(a, b);
    order(b, c);
    order(a, b);
    return b;
  }

  void reverse(std::size_t a, std::size_t b) {
    for (--b; a < b; ++a, --b)
      swap(a, b);
  }

  // Repairs a few pairs that are in the wrong order; true if the range is sorted then.
  bool insert_some(std::size_t a, std::size_t b) {
    constexpr int most = 5;
    std::size_t i = a + 1;
    for (int step = 0; step < most; ++step) {
      while (i < b && !less(i, i - 1))
        ++i;
      if (i == b) return true;
      if (b - a < kManyItems) return false;
      swap(i, i - 1);
      if (i - a >= 2) {
        for (std::size_t j = i - 1; j >= 1 && less(j, j - 1); --j)
          swap(j, j - 1);
      }
      if (b - i >= 2) {
        for (std::size_t j = i + 1; j < b && less(j, j - 1); ++j)
          swap(j, j - 1);
      }
    }
    return false;
  }

  // What is less than the pivot stands in front of it then, all else behind it.
  Parted part(std::size_t a, std::size_t b, std::size_t pivot) {
    swap(a, pivot);
    std::size_t i = a + 1;
    std::size_t j = b - 1;
    bool was_parted = true;
    for (;;) {
      while (i <= j && less(i, a))
        ++i;
      while (i <= j && !less(j, a))
        --j;
      if (i > j) break;
      was_parted = false;
      swap(i++, j--);
    }
    swap(j, a);
    return {j, was_parted};
  }

  // Nothing is less than the pivot: what equals it comes first. Returns where the rest begins.
  std::size_t part_equal(std::size_t a, std::size_t b, std::size_t pivot) {
    swap(a, pivot);
    std::size_t i = a + 1;
    std::size_t j = b - 1;
    for (;;) {
      while (i <= j && !less(a, i))
        ++i;
      while (i <= j && less(a, j))
        --j;
      if (i > j) return i;
      swap(i++, j--);
    }
  }

  std::vector<std::size_t> order_;
  FunctionRef<bool(std::size_t, std::size_t)> less_;
};

}  // namespace

std::vector<std::size_t> go_sorted(std::size_t count,
                                   FunctionRef<bool(std::size_t, std::size_t)> less) {
  return GoSort(count, less).sorted();
}

}  // namespace dra::base
