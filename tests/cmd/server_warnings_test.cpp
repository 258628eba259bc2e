// tests/cmd/server_warnings_test.cpp

#include "cmd/server_warnings.h"

#include <doctest/doctest.h>

#include <sstream>

namespace dra::cmd::server_warnings_test {
namespace {

TEST_CASE("each warning of the server is printed once, on one line") {
  std::ostringstream err;
  ServerWarnings warnings(err, false);
  CHECK(warnings.none().ok());
  const std::string wide(300, 'x');
  for (const std::string& text :
       {std::string("a is deprecated"), wide + " y", std::string("a is deprecated")})
    warnings.print(text);
  CHECK(err.str() == "Warning: a is deprecated\nWarning: " + wide + " y\n");
  CHECK(warnings.none().error().message == "2 warnings received");
}

TEST_CASE("a warning has colour where that is allowed, and cannot act on the terminal") {
  std::ostringstream err;
  ServerWarnings warnings(err, true);
  warnings.print("\x1b]0;x\x07");
  CHECK(err.str() == "\x1b[33mWarning:\x1b[0m ^[]0;x^G\n");
  CHECK(warnings.none().error().message == "1 warning received");
}

}  // namespace
}  // namespace dra::cmd::server_warnings_test
