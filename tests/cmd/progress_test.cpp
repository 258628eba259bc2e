// tests/cmd/progress_test.cpp

#include "cmd/progress.h"

#include <doctest/doctest.h>

#include <sstream>
#include <vector>

namespace dra::cmd::progress_test {
namespace {

const std::vector<snapshot::Reading> kLists = {{api::Kind::Slice, 12'000}, {api::Kind::Pod, 0}};

TEST_CASE("what is being read is shown after a second, a few times a second, and removed") {
  std::ostringstream err;
  base::Instant now{.seconds = 100};
  Progress progress(
      err, [&now] { return now; }, 80);
  progress.show(kLists);
  now.nanos = 999'000'000;
  progress.show(kLists);
  CHECK(err.str().empty());
  progress.clear();
  CHECK(err.str().empty());

  now.seconds = 101;
  progress.show(kLists);
  const std::string line = "reading resourceslices 12,000, pods...";
  const std::string removed = line + '\r' + std::string(line.size(), ' ') + '\r';
  CHECK(err.str() == line);
  progress.show(kLists);
  CHECK(err.str() == line);
  progress.show({});
  CHECK(err.str() == removed);
  progress.clear();
  CHECK(err.str() == removed);
}

TEST_CASE("the line stays within the terminal, and without a clock there is none") {
  std::ostringstream err;
  base::Instant now{.seconds = 100};
  Progress narrow(
      err, [&now] { return now; }, 12);
  Progress none(err, nullptr, 80);
  now.seconds = 200;
  narrow.show(kLists);
  none.show(kLists);
  CHECK(err.str() == "reading res");
}

}  // namespace
}  // namespace dra::cmd::progress_test
