// tests/base/minimal_set_test.cpp: what holds for a part holds for no less of it.

#include "dra/base/minimal_set.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>

namespace dra::base::minimal_set_test {
namespace {

using Set = std::set<int>;

// Something holds for what has all of any of these.
bool has_any(const std::vector<int>& items, const std::vector<Set>& causes) {
  const Set all(items.begin(), items.end());
  return std::ranges::any_of(
      causes, [&all](const Set& cause) { return std::ranges::includes(all, cause); });
}

TEST_CASE("a part that is enough, and of which nothing can be omitted") {
  std::mt19937 random(4711);
  for (int round = 0; round < 500; ++round) {
    std::vector<int> items(1 + random() % 20);
    for (std::size_t i = 0; i < items.size(); ++i)
      items[i] = static_cast<int>(i);
    std::vector<Set> causes(1 + random() % 3);
    for (Set& cause : causes) {
      for (std::size_t i = 0; i < 1 + random() % 5; ++i)
        cause.insert(items[random() % items.size()]);
    }
    int asked = 0;
    const auto found = minimal_set(items, [&](const std::vector<int>& some) {
      ++asked;
      return has_any(some, causes);
    });
    CHECK(has_any(found, causes));
    for (const int one : found) {
      std::vector<int> fewer = found;
      std::erase(fewer, one);
      CHECK_FALSE(has_any(fewer, causes));
    }
    CHECK(asked <= 60);
  }
}

TEST_CASE("of several those are preferred that come first") {
  const std::vector<Set> causes = {{0, 3}, {2, 4}};
  CHECK(minimal_set(std::vector<int>{0, 1, 2, 3, 4}, [&](const std::vector<int>& some) {
          return has_any(some, causes);
        }) == std::vector<int>{0, 3});
}

}  // namespace
}  // namespace dra::base::minimal_set_test
