// tests/session/retry_test.cpp

#include "src/session/retry.h"

#include <doctest/doctest.h>

#include <string>

namespace dra::session::retry_test {
namespace {

struct Case {
  std::string name;
  Attempt attempt;
  Tried tried;
  std::optional<std::int64_t> want;
};

const Case kCases[] = {
    {"success", {.status = 200, .retry_after = "1"}, {}, {}},
    {"a refusal that stays one", {.status = 403, .retry_after = "1"}, {}, {}},
    {"too many requests", {.status = 429, .retry_after = "3"}, {}, 3},
    {"too many requests, without a time", {.status = 429}, {}, {}},
    {"any error of the server", {.status = 500, .retry_after = "1"}, {}, 1},
    {"an error of the server, without a time", {.status = 503}, {}, {}},
    {"at once", {.status = 503, .retry_after = "0"}, {}, 0},
    {"a time in the past", {.status = 503, .retry_after = "-5"}, {}, 0},
    {"a sign", {.status = 503, .retry_after = "+5"}, {}, 5},
    {"two signs", {.status = 503, .retry_after = "+-5"}, {}, {}},
    {"a date", {.status = 503, .retry_after = "Fri, 20 Nov 2026 09:30:00 GMT"}, {}, {}},
    {"not whole seconds", {.status = 503, .retry_after = "1.5"}, {}, {}},
    {"longer than time goes", {.status = 503, .retry_after = "99999999999999999999"}, {}, {}},
    {"longer than anybody waits", {.status = 503, .retry_after = "61"}, {}, {}},
    {"pauses that add up", {.status = 503, .retry_after = "30"}, {2, 31}, {}},
    {"pauses that just fit", {.status = 503, .retry_after = "30"}, {2, 30}, 30},
    {"once more", {.status = 429, .retry_after = "1"}, {9, 9}, 1},
    {"enough", {.status = 429, .retry_after = "1"}, {10, 10}, {}},
    {"a connection that was lost", {.lost = true}, {}, 1},
    {"connections that are always lost", {.lost = true}, {10, 10}, {}},
    {"a failure of another kind", {}, {}, {}},
};

TEST_CASE("a request is sent again if the server asks for it or the connection was lost") {
  for (const Case& row : kCases) {
    CAPTURE(row.name);
    CHECK(seconds_to_retry(row.attempt, row.tried, {}) == row.want);
  }
}

}  // namespace
}  // namespace dra::session::retry_test
