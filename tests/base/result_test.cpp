// tests/base/result_test.cpp

#include "dra/base/result.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>

namespace dra::result_test {
namespace {

Result<int> half(int number) {
  if (number % 2 != 0) return Error{ErrorKind::BadInput, "odd", "give an even number"};
  return number / 2;
}

Result<std::string> quarter(int number) {
  const int once = DRA_TRY(half(number).context("first"));
  const int twice = DRA_TRY(half(once).context("second"));
  return std::to_string(twice);
}

TEST_CASE("a result is a value or an error") {
  const Result<int> good = half(4);
  REQUIRE(good.ok());
  CHECK(good.value() == 2);
  const Result<int> bad = half(3);
  REQUIRE_FALSE(bad.ok());
  CHECK(bad.error().kind == ErrorKind::BadInput);
  CHECK(bad.error().message == "odd");
  CHECK(bad.error().hint == "give an even number");
}

TEST_CASE("DRA_TRY returns the first error with the context it was given") {
  CHECK(quarter(8).value() == "2");
  CHECK(quarter(3).error().message == "first: odd");
  CHECK(quarter(6).error().message == "second: odd");
  CHECK(quarter(6).context("file f").error().message == "file f: second: odd");
  CHECK(quarter(6).context("file f").error().hint == "give an even number");
}

TEST_CASE("context leaves a value alone") { CHECK(half(2).context("where").value() == 1); }

TEST_CASE("a value is moved out, not copied") {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(7);
  REQUIRE(result.ok());
  const std::unique_ptr<int> taken = std::move(result).take();
  CHECK(*taken == 7);
}

TEST_CASE("a result of text is text, not an error") {
  const Result<std::string> text = std::string("fine");
  CHECK(text.ok());
}

}  // namespace
}  // namespace dra::result_test
