// tests/json/value_test.cpp

#include "dra/json/value.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>

#include "dra/json/write.h"

namespace dra::json::value_test {
namespace {

std::string compact(const Value& value) { return write_json(value, Style::Compact); }

TEST_CASE("values are made of what they hold") {
  CHECK(Value().is(Kind::Null));
  CHECK(compact(Value("x")) == "\"x\"");
  CHECK(compact(Value(true)) == "true");
  CHECK(compact(Value(std::numeric_limits<std::uint64_t>::max())) == "18446744073709551615");
  CHECK(compact(Value(std::numeric_limits<std::int64_t>::min())) == "-9223372036854775808");
  CHECK(compact(Value::number("0.10")) == "0.10");
}

TEST_CASE("members are found, added and replaced in their place") {
  Value object = Value::object();
  object.set("a", 1);
  object.set("b", 2);
  object.set("a", 3).set("c", "x");
  CHECK(compact(object) == R"({"a":{"c":"x"},"b":2})");
  CHECK(object.find("none") == nullptr);
  object.remove("a");
  CHECK(compact(object) == R"({"b":2})");
}

TEST_CASE("a path leads through objects") {
  Value object = Value::object();
  object.set("metadata", Value::object()).set("labels", Value::object()).set("app", "x");
  REQUIRE(object.at({"metadata", "labels", "app"}) != nullptr);
  CHECK(object.at({"metadata", "labels", "app"})->text() == "x");
  CHECK(object.at({"metadata", "none", "app"}) == nullptr);
  CHECK(object.at({"metadata", "labels", "app", "further"}) == nullptr);
  CHECK(object.string_at({"metadata", "labels", "app"}) == "x");
  CHECK(object.string_at({"metadata", "none", "app"}).empty());
  CHECK(object.string_at("metadata").empty());
  object.set("replicas", 3);
  CHECK_MESSAGE(object.string_at("replicas").empty(), "a number is no string");
}

TEST_CASE("lists grow at their end") {
  Value list;
  list.push(1);
  list.push("x");
  CHECK(compact(list) == R"([1,"x"])");
}

TEST_CASE("keys are sorted by bytes at every depth, and doubles keep their order") {
  Value inner = Value::object();
  inner.set("b", 1);
  inner.set("B", 2);
  inner.members().push_back({"a", 3, {}});
  inner.members().push_back({"a", 4, {}});
  Value list = Value::array();
  list.push(inner);
  Value object = Value::object();
  object.set("z", list);
  object.set("ä", 0);
  object.set("a", 1);
  sort_keys(object);
  CHECK(compact(object) == R"({"a":1,"z":[{"B":2,"a":3,"a":4,"b":1}],"ä":0})");
}

}  // namespace
}  // namespace dra::json::value_test
