// include/dra/api/pool_names.h
//
// A dense number for each pool of a snapshot, by driver and name. Slices that publish a pool and
// claims that hold devices of it get its number while they are decoded, so usage is counted by
// numbers and not by texts.

#pragma once

#include <compare>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dra/api/claim.h"
#include "dra/api/slice.h"

namespace dra::api {

struct PoolName {
  std::string_view driver;
  std::string_view pool;

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy takes the comparison with 0 for a pointer's
  friend auto operator<=>(const PoolName&, const PoolName&) = default;
};

// The texts must outlive it.
class PoolNames {
 public:
  // Set the numbers of the object's pools.
  void add(ResourceSlice& slice);
  void add(ResourceClaim& claim);

  // By number. Objects that were dropped again may have left some.
  const std::vector<PoolName>& names() const { return names_; }
  // All numbers, by driver, then pool. Valid after sort().
  const std::vector<std::uint32_t>& sorted() const { return sorted_; }
  void sort();

 private:
  struct Hash {
    std::size_t operator()(const PoolName& name) const {
      const std::hash<std::string_view> hash;
      return hash(name.driver) * 31 + hash(name.pool);
    }
  };

  std::uint32_t number_of(const PoolName& name);

  std::vector<PoolName> names_;
  std::vector<std::uint32_t> sorted_;
  std::unordered_map<PoolName, std::uint32_t, Hash> numbers_;
};

}  // namespace dra::api
