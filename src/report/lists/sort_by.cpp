// src/report/lists/sort_by.cpp: extracts the keys, checks that they have an order, and sorts.

#include "dra/report/lists/sort_by.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <string>

#include "dra/base/go_sort.h"
#include "dra/base/quantity.h"
#include "dra/base/text.h"
#include "dra/json/path.h"

namespace dra::report {
namespace {

bool is_null(const SortKey& key) { return key.value.is(json::Kind::Null); }

bool text_less(const std::string& a, const std::string& b) {
  const auto left = base::Quantity::parse(a);
  if (!left.ok()) return a < b;
  const auto right = base::Quantity::parse(b);
  return right.ok() ? left.value() < right.value() : a < b;
}

// As in kubectl, each of two items without a value is less than the other.
bool less(const SortKey& a, const SortKey& b) {
  if (!a.found) return true;
  if (!b.found || is_null(b)) return false;
  if (is_null(a)) return true;
  if (a.value.is(json::Kind::String)) return text_less(a.value.text(), b.value.text());
  return std::strtod(a.value.text().c_str(), nullptr) <
         std::strtod(b.value.text().c_str(), nullptr);
}

// Fails unless all values are of one kind that has an order.
Result<Done> check_kinds(std::span<const SortKey> keys, std::string_view path) {
  std::optional<json::Kind> kind;
  std::size_t values = 0;
  for (const SortKey& key : keys) {
    if (!key.found || is_null(key)) continue;
    ++values;
    const bool sortable = key.value.is(json::Kind::String) || key.value.is(json::Kind::Number);
    if (values > 1 && (!sortable || kind != key.value.kind())) {
      return Error{
          ErrorKind::BadInput,
          base::format("--sort-by: {} cannot be sorted by: it is {}", path,
                       sortable ? "text here and a number there" : json::name_of(key.value.kind())),
          "sort by a field that is text or a number"};
    }
    kind = key.value.kind();
  }
  return Done{};
}

}  // namespace

Result<std::vector<SortKey>> sort_keys(std::span<const json::Value> items, std::string_view field) {
  const std::string text = DRA_TRY(json::relaxed_path(field).context("--sort-by"));
  const json::Path path = DRA_TRY(json::Path::parse(text).context("--sort-by"));
  std::vector<SortKey> keys;
  for (const json::Value& item : items) {
    const json::PathMatches matches = DRA_TRY(path.find(item).context("--sort-by"));
    const auto& groups = matches.groups();
    SortKey& key = keys.emplace_back();
    key.found = !groups.empty() && !groups.front().empty();
    if (!key.found) continue;
    const json::Value* value = groups.front().front().value;
    if (value != nullptr) key.value = *value;
  }
  return keys;
}

Result<std::vector<std::size_t>> sort_by_keys(std::span<const SortKey> keys, std::string_view field,
                                              Ties ties) {
  const std::string text = DRA_TRY(json::relaxed_path(field).context("--sort-by"));
  if (!keys.empty() && std::ranges::none_of(keys, &SortKey::found)) {
    return Error{
        ErrorKind::BadInput,
        base::format("couldn't find any field with path \"{}\" in the list of objects", text),
        {}};
  }
  DRA_TRY(check_kinds(keys, text));
  if (ties == Ties::AsKubectl) {
    return base::go_sorted(
        keys.size(), [&keys](std::size_t a, std::size_t b) { return less(keys[a], keys[b]); });
  }
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&keys](std::size_t a, std::size_t b) {
    return keys[b].found && less(keys[a], keys[b]);
  });
  return order;
}

Result<std::vector<std::size_t>> sort_by(std::span<const json::Value> items, std::string_view path,
                                         Ties ties) {
  return sort_by_keys(DRA_TRY(sort_keys(items, path)), path, ties);
}

}  // namespace dra::report
