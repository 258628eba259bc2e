// tests/base/fold_names_test.cpp

#include "dra/base/fold_names.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "dra/base/text.h"
#include "tests/support/seed.h"

namespace dra::base::fold_names_test {
namespace {

struct FoldCase {
  const char* name;
  std::vector<std::string_view> names;
  const char* want;
};

const FoldCase kFolds[] = {
    {"nothing", {}, ""},
    {"one name", {"gpu-0"}, "gpu-0"},
    {"two that follow each other stay", {"gpu-0", "gpu-1"}, "gpu-0,gpu-1"},
    {"three are folded", {"gpu-0", "gpu-1", "gpu-2"}, "gpu-0…2"},
    {"a gap ends a run", {"gpu-0", "gpu-1", "gpu-2", "gpu-4"}, "gpu-0…2,gpu-4"},
    {"another stem ends a run",
     {"gpu-0", "gpu-1", "nic-2", "nic-3", "nic-4"},
     "gpu-0,gpu-1,nic-2…4"},
    {"downwards is no run", {"gpu-2", "gpu-1", "gpu-0"}, "gpu-2,gpu-1,gpu-0"},
    {"numbers alone", {"0", "1", "2", "3"}, "0…3"},
    {"over ten", {"gpu-8", "gpu-9", "gpu-10", "gpu-11"}, "gpu-8…11"},
    {"leading zeros are part of a name", {"gpu-00", "gpu-01", "gpu-02"}, "gpu-00,gpu-01,gpu-02"},
    {"no digits, no run", {"a", "b", "c"}, "a,b,c"},
    {"the same name thrice", {"gpu-1", "gpu-1", "gpu-1"}, "gpu-1,gpu-1,gpu-1"},
    {"numbers beyond all measure are names",
     {"d99999999999999999999", "d100000000000000000000", "d100000000000000000001"},
     "d99999999999999999999,d100000000000000000000,d100000000000000000001"},
};

TEST_CASE("folding names of devices") {
  for (const FoldCase& row : kFolds) {
    CAPTURE(row.name);
    CHECK(fold_names(row.names) == row.want);
  }
}

const FoldCase kLongNames[] = {
    {"nothing", {}, ""},
    {"short names stay whole", {"gpu-0", "gpu-2"}, "gpu-0,gpu-2"},
    {"a run needs no brackets",
     {"gpu-0-mig-1g10gb-19-0", "gpu-0-mig-1g10gb-19-1", "gpu-0-mig-1g10gb-19-2"},
     "gpu-0-mig-1g10gb-19-0…2"},
    {"what long names have in common is said once",
     {"gpu-0-mig-2g20gb-14-0", "gpu-0-mig-2g20gb-14-2"},
     "gpu-0-mig-2g20gb-14-{0,2}"},
    {"nothing in common",
     {"0000.03.00.0.0x56a0", "1000.03.00.0.0x56a0"},
     "0000.03.00.0.0x56a0,1000.03.00.0.0x56a0"},
};

TEST_CASE("folding long names of devices") {
  for (const FoldCase& row : kLongNames) {
    CAPTURE(row.name);
    CHECK(fold_devices(row.names) == row.want);
  }
}

struct NodesCase {
  const char* name;
  std::vector<std::string_view> names;
  std::size_t limit;
  const char* want;
};

const NodesCase kNodes[] = {
    {"one node", {"pool-a-cg6n"}, 3, "pool-a-cg6n"},
    {"what they have in common is said once",
     {"pool-a-cg6n", "pool-a-t5wd"},
     3,
     "pool-a-{cg6n,t5wd}"},
    {"parts of words stay whole", {"pool-ab", "pool-ac"}, 3, "pool-{ab,ac}"},
    {"dots part words, too", {"n1.example.com", "n1.example.org"}, 3, "n1.example.{com,org}"},
    {"nothing in common", {"alpha", "beta"}, 3, "alpha,beta"},
    {"more than the limit", {"n-1", "n-2", "n-3", "n-4", "n-5"}, 3, "n-{1,2,3,+2}"},
    {"more than the limit, nothing in common", {"a", "b", "c"}, 2, "a,b,+1"},
};

TEST_CASE("folding names of nodes") {
  for (const NodesCase& row : kNodes) {
    CAPTURE(row.name);
    CHECK(fold_nodes(row.names, row.limit) == row.want);
  }
}

// As many of the first names as fit, found by trying.
std::string folded_by_trying(const std::vector<std::string_view>& names, std::size_t width) {
  std::string text = fold_devices(names);
  std::vector<std::string_view> shown = names;
  while (text.size() > width && shown.size() > 1) {
    shown.pop_back();
    text = format("{},+{}", fold_devices(shown), names.size() - shown.size());
  }
  return text;
}

TEST_CASE("the names that fit are found without trying") {
  std::mt19937_64 random = support::seeded();
  const auto below = [&random](std::size_t limit) { return random() % limit; };
  const std::vector<std::string> stems = {"gpu-", "gpu-0-mig-1g.10gb-", "g", "", "nic.", "a-b-"};
  for (std::uint64_t round = support::cases(3000); round > 0; --round) {
    std::vector<std::string> all;
    std::size_t number = below(12);
    std::size_t stem = below(stems.size());
    for (std::size_t i = below(14) + 1; i > 0; --i) {
      if (below(4) == 0) stem = below(stems.size());
      number = below(3) == 0 ? below(1200) : number + 1;
      all.push_back(stems[stem] + (below(9) == 0 ? "0" : "") + std::to_string(number));
    }
    const std::vector<std::string_view> names(all.begin(), all.end());
    const std::size_t width = below(60);
    CAPTURE(width);
    CHECK(fold_devices_within(names, width) == folded_by_trying(names, width));
  }
}

}  // namespace
}  // namespace dra::base::fold_names_test
