// tests/session/token_file_test.cpp

#include "src/session/token_file.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "tests/support/temp_dir.h"

namespace dra::session::token_file_test {
namespace {

class TokenFileTest {
 public:
  TokenFileTest() {
    environment.clock = [this] { return base::Instant{seconds, 0}; };
  }

  std::shared_ptr<Authenticator> make(Credentials otherwise = {}) {
    return make_token_file({path(), "the place", std::move(otherwise)}, environment);
  }
  void write(const std::string& text) const { directory_.write("token", text); }
  std::string path() const { return directory_.path("token"); }

  std::int64_t seconds = 1000;
  Environment environment;

 private:
  support::TempDir directory_;
};

TEST_CASE("a token file is read when it is needed, and again after 50 seconds") {
  TokenFileTest test;
  const auto authenticator = test.make();  // nothing is read yet
  test.write(" one\n");
  CHECK(authenticator->current().value().token == "one");
  test.write("two");
  test.seconds += 49;
  CHECK(authenticator->current().value().token == "one");
  test.seconds += 1;
  CHECK(authenticator->current().value().token == "two");
}

TEST_CASE("a refused token is read again at once, and only another one is worth a try") {
  TokenFileTest test;
  const auto authenticator = test.make();
  test.write("one");
  const Credentials used = authenticator->current().value();
  CHECK(!authenticator->refused(used));
  test.write("two");
  CHECK(authenticator->refused(used));
  CHECK(authenticator->current().value().token == "two");
}

TEST_CASE("the last good token is used while the file cannot be read") {
  TokenFileTest test;
  const auto authenticator = test.make();
  test.write("one");
  CHECK(authenticator->current().ok());
  std::filesystem::remove(test.path());
  test.seconds += 3600;
  CHECK(authenticator->current().value().token == "one");
  CHECK(!authenticator->refused({.token = "one"}));
  test.write("two");
  CHECK(authenticator->current().value().token == "two");
}

TEST_CASE("a file that never could be read is an error that says who names it") {
  TokenFileTest test;
  const auto authenticator = test.make();
  CHECK(authenticator->current().error().message ==
        "the place: cannot read " + test.path() + ": No such file or directory");
  test.write(" \n");
  CHECK(authenticator->current().error().message == "the place: the token is empty");
  test.write("planted secret");
  CHECK(authenticator->current().error().message.find("planted") == std::string::npos);
}

TEST_CASE("a certificate goes with the token, and another token takes its place") {
  TokenFileTest test;
  const Credentials otherwise{"else", "cert", "key"};
  const auto authenticator = test.make(otherwise);
  CHECK(authenticator->current().value() == otherwise);
  test.write("one");
  CHECK(authenticator->current().value() == Credentials{"one", "cert", "key"});
}

}  // namespace
}  // namespace dra::session::token_file_test
