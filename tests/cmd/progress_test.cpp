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
  progress.show(std::span<const snapshot::Reading>());
  CHECK(err.str() == removed);
  progress.clear();
  CHECK(err.str() == removed);
}

TEST_CASE("several clusters are on one line, each until it is read") {
  std::ostringstream err;
  base::Instant now{.seconds = 100};
  SharedProgress progress(
      err, [&now] { return now; }, 80);
  const std::vector<snapshot::Reading> nodes = {{api::Kind::Node, 7}};
  progress.show("dev", kLists);
  progress.show("a\x1b", nodes);
  CHECK(err.str().empty());
  const auto shown_after_a_second = [&](const char* context,
                                        std::span<const snapshot::Reading> lists) {
    ++now.seconds;
    err.str("");
    progress.show(context, lists);
    return err.str().substr(err.str().rfind('\r') + 1);
  };
  CHECK(shown_after_a_second("dev", kLists) ==
        "reading dev: resourceslices 12,000, pods; a^[: nodes 7...");
  CHECK(shown_after_a_second("dev", {}) == "reading a^[: nodes 7...");
  CHECK(shown_after_a_second("none", {}) == "reading a^[: nodes 7...");
  CHECK(shown_after_a_second("a\x1b", {}).empty());
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
  CHECK(err.str() == "reading re…");
}

}  // namespace
}  // namespace dra::cmd::progress_test
