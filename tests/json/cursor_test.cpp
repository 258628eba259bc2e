// tests/json/cursor_test.cpp: what holds for every cursor, over bytes and over a tree.

#include "dra/json/cursor.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dra/json/parse.h"
#include "dra/json/write.h"
#include "dra/json/yaml.h"

namespace dra::json::cursor_test {
namespace {

// Runs `read` over the same document as received bytes and as a tree.
void with_each(const std::string& text, base::FunctionRef<void(Cursor&)> read) {
  base::Arena arena;
  const base::Page page(text);
  REQUIRE(read_json(page, arena, read).ok());
  const auto documents = parse_yaml(text);
  REQUIRE(documents.ok());
  REQUIRE(read_tree(documents.value().at(0), arena, read).ok());
}

std::string kinds_of(Cursor& root) {
  std::string kinds;
  root.members([&kinds](std::string_view key, Cursor& value) {
    kinds += std::string(key) + ": " + std::string(name_of(value.kind())) + "\n";
  });
  return kinds;
}

TEST_CASE("kinds are known before anything is read") {
  with_each(R"({"a": null, "b": true, "c": 1.5, "d": "x", "e": {}, "f": []})", [](Cursor& root) {
    CHECK(kinds_of(root) ==
          "a: null\nb: a boolean\nc: a number\nd: a string\ne: an object\nf: a list\n");
  });
}

// The strings of a list; what else is in it is not read.
std::string strings_of(Cursor& list) {
  std::string strings;
  list.items([&strings](Cursor& item) {
    if (item.kind() == Kind::String) strings += item.scalar();
  });
  return strings;
}

std::string read_some(Cursor& root) {
  std::string seen;
  root.members([&seen](std::string_view key, Cursor& value) {
    if (key == "read") seen += strings_of(value);
    if (key == "end") seen += value.scalar();
  });
  return seen;
}

TEST_CASE("what is not read is passed over") {
  with_each(R"({"skip": {"deep": [1, {"x": "}"}]}, "read": ["a", [1], "b"], "end": 1})",
            [](Cursor& root) { CHECK(read_some(root) == "ab1"); });
}

TEST_CASE("a string member can be looked at before an object is read") {
  with_each(R"({"a": 1, "kind": "Pod", "esc": "x\ty", "list": [1]})", [](Cursor& root) {
    CHECK(root.peek("kind") == "Pod");
    CHECK(root.peek("esc") == "x\ty");
    CHECK(root.peek("a").empty());
    CHECK(root.peek("none").empty());
    int members = 0;
    root.members([&members](std::string_view, Cursor&) { ++members; });
    CHECK(members == 4);
  });
}

// The text of each item, and its name, which is read after the text was taken.
std::string items_of(Cursor& list) {
  std::string lines;
  list.items([&lines](Cursor& item) {
    lines += write_json(parse_json(item.raw()).value(), Style::Compact);
    item.members([&lines](std::string_view key, Cursor& value) {
      if (key == "name") lines += " " + std::string(value.scalar()) + "\n";
    });
  });
  return lines;
}

TEST_CASE("the text of an object can be taken before it is read") {
  with_each(R"({"items": [{"list": [1, 2], "name": "a"}, {"name": "b"}]})", [](Cursor& root) {
    std::string lines;
    root.members([&lines](std::string_view, Cursor& items) { lines = items_of(items); });
    CHECK(lines == "{\"list\":[1,2],\"name\":\"a\"} a\n{\"name\":\"b\"} b\n");
  });
}

TEST_CASE("the text of a scalar is the scalar") {
  with_each(R"({"a": "x", "b": 1.50})", [](Cursor& root) {
    std::string raw;
    root.members(
        [&raw](std::string_view, Cursor& value) { raw += std::string(value.raw()) + " "; });
    CHECK((raw == "\"x\" 1.50 " || raw == "\"x\" 1.5 "));  // YAML has read the number
  });
}

TEST_CASE("after a failure nothing more is read, and the error says where") {
  const auto read = [](Cursor& root) {
    int calls = 0;
    root.members([&calls](std::string_view, Cursor& value) {
      ++calls;
      value.reading().fail(value.where(), "expected a number");
    });
    CHECK(calls == 1);
  };
  const std::string text = "{\n  \"a\": \"x\",\n  \"b\": 1}";
  base::Arena arena;
  const base::Page page(text);
  const auto bytes = read_json(page, arena, read);
  REQUIRE_FALSE(bytes.ok());
  CHECK(bytes.error().kind == ErrorKind::BadAnswer);
  CHECK(bytes.error().message == "byte 9: expected a number");
  const auto tree = read_tree(parse_yaml(text).value().at(0), arena, read);
  REQUIRE_FALSE(tree.ok());
  CHECK(tree.error().kind == ErrorKind::BadInput);
  CHECK(tree.error().message == "line 2, column 8: expected a number");
}

TEST_CASE("a cursor becomes a tree with the same content") {
  const std::string text = R"({"a":[1,{"b":null}],"c":"d","a2":true})";
  with_each(text,
            [&text](Cursor& root) { CHECK(write_json(to_value(root), Style::Compact) == text); });
}

}  // namespace
}  // namespace dra::json::cursor_test
