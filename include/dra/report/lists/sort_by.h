// include/dra/report/lists/sort_by.h
//
// `--sort-by PATH`: the order of a list's items by the value at a JSONPath, as kubectl sorts
// (k8s.io/kubectl/pkg/cmd/get/sorter.go).
//
// Compared is the first value that the path finds in each item: numbers as numbers, text as
// quantities if both are ones (so that 9Gi comes before 80Gi), else bytewise, which also sorts
// times. Items without a value come first. Equal items keep their order, and in lists of up to
// twelve stand as kubectl has them even where that is odd (several without a value are reversed);
// in longer ones kubectl's order of equal items is an accident of Go's sort.Sort.

#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/base/result.h"
#include "dra/json/value.h"

namespace dra::report {

// The positions of the items, in order. BadInput if `path` cannot be read, finds nothing in any
// item (of a list that has some), or finds values that have no order among each other: objects,
// truth values, text and numbers.
Result<std::vector<std::size_t>> sort_by(std::span<const json::Value> items, std::string_view path);

// The items in that order.
template <class T>
void reorder(std::vector<T>& items, const std::vector<std::size_t>& order) {
  std::vector<T> sorted;
  sorted.reserve(items.size());
  for (const std::size_t i : order)
    sorted.push_back(std::move(items[i]));
  items = std::move(sorted);
}

}  // namespace dra::report
