// tests/base/log_line_test.cpp: headers of klog, and breaks of lines.

#include "dra/base/log_line.h"

#include <doctest/doctest.h>

namespace dra::base::log_line_test {

TEST_CASE("what a program said is one line without headers of its log") {
  CHECK(plain_log("E0717 23:59:33.262137       1 node_state.go:68] failed parsing file") ==
        "failed parsing file");
  CHECK(plain_log("Startup probe failed: E1120 09:29:54.489874  71 main.go:450] no route\\nexit") ==
        "Startup probe failed: no route exit");
  CHECK(plain_log("I0717 23:59:33.262137 1 a.go:1] one\nE0717 23:59:34.000001 1 b.go:2] two") ==
        "one two");
  CHECK(plain_log("E0717 23:59:33.262137 and no end") == "E0717 23:59:33.262137 and no end");
  CHECK(plain_log("device E0717 is gone") == "device E0717 is gone");
  CHECK(plain_log("") == "");
}

}  // namespace dra::base::log_line_test
