// tests/render/structured_test.cpp

#include "dra/render/structured.h"

#include <doctest/doctest.h>

#include "dra/json/parse.h"

namespace dra::render::structured_test {
namespace {

struct Case {
  std::string name;
  std::string text;
  std::string want;
};

TEST_CASE("JSON is safe to look at and means the same") {
  const Case cases[] = {
      {"plain text stays", "gpu-0 <>&", "\"gpu-0 <>&\"\n"},
      {"letters of any script stay", "größe 日本 😀", "\"größe 日本 😀\"\n"},
      {"controls of eight bits are escaped",
       "\xc2\x9b"
       "31m",
       "\"\\u009b31m\"\n"},
      {"delete is escaped", "\x7f", "\"\\u007f\"\n"},
      {"what turns the direction of text is escaped",
       "a\xe2\x80\xae"
       "b",
       "\"a\\u202eb\"\n"},
      {"beyond 16 bits two escapes make one character", "\xf3\xa0\x81\x81", "\"\\udb40\\udc41\"\n"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    const std::string got = render_json(json::Value(c.text));
    CHECK(got == c.want);
    const auto back = json::parse_json("[" + got + "]");
    REQUIRE(back.ok());
    CHECK(back.value().items().at(0).text() == c.text);
  }
}

TEST_CASE("bytes that are not UTF-8 become the replacement character") {
  CHECK(render_json(json::Value("a\xff"
                                "b\xe2\x80")) == "\"a\\ufffdb\\ufffd\"\n");
}

TEST_CASE("objects are indented as kubectl indents them") {
  json::Value value = json::Value::object();
  value.set("b", 1);
  value.set("a", json::Value::array());
  CHECK(render_json(value) == "{\n    \"b\": 1,\n    \"a\": []\n}\n");
}

TEST_CASE("YAML of a report keeps its order and is safe to look at") {
  json::Value value = json::Value::object();
  value.set("b", "\x1b]0;");
  value.set("a", json::Value::array({1}));
  CHECK(render_yaml(value) == "b: \"\\e]0;\"\na:\n- 1\n");
}

TEST_CASE("YAML of an API object is sorted, and byte for byte kubectl's if no terminal is there") {
  json::Value value = json::Value::object();
  value.set("b", "x\xe2\x80\xaey");
  value.set("a", 1);
  CHECK(render_api_yaml(value, false) == "a: 1\nb: x\xe2\x80\xaey\n");
  CHECK(render_api_yaml(value, true) == "a: 1\nb: \"x\\u202Ey\"\n");
}

}  // namespace
}  // namespace dra::render::structured_test
