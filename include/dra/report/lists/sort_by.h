// include/dra/report/lists/sort_by.h
//
// `--sort-by PATH`: sorts the items of a list by the value at a JSONPath, as kubectl does
// (k8s.io/kubectl/pkg/cmd/get/sorter.go).
//
// The first value that the path finds in each item is compared: numbers as numbers, two quantities
// as quantities (9Gi precedes 80Gi), other text bytewise, which also sorts times. Items without a
// value come first.

#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/base/result.h"
#include "dra/json/value.h"

namespace dra::report {

// The order of equal items. kubectl's is that of Go's sort.Sort, which is no stable sort, and
// reverses several items without a value: API objects have it, so that both print the same.
enum class Ties { KeepOrder, AsKubectl };

// The value that the path finds first in an item.
struct SortKey {
  bool found = false;
  json::Value value = {};
};

// A key for each item. BadInput if `path` is invalid.
Result<std::vector<SortKey>> sort_keys(std::span<const json::Value> items, std::string_view path);

// The order of items with these keys, of one list or of several that become one. BadInput as below.
Result<std::vector<std::size_t>> sort_by_keys(std::span<const SortKey> keys, std::string_view path,
                                              Ties ties = Ties::KeepOrder);

// The indices of the items in sorted order. BadInput if `path` is invalid, finds nothing in any
// item of a list that is not empty, or finds values without an order: objects, booleans, text
// together with numbers.
Result<std::vector<std::size_t>> sort_by(std::span<const json::Value> items, std::string_view path,
                                         Ties ties = Ties::KeepOrder);

// Puts the items in that order.
template <class T>
void reorder(std::vector<T>& items, const std::vector<std::size_t>& order) {
  std::vector<T> sorted;
  sorted.reserve(items.size());
  for (const std::size_t i : order)
    sorted.push_back(std::move(items[i]));
  items = std::move(sorted);
}

}  // namespace dra::report
