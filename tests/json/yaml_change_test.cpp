// tests/json/yaml_change_test.cpp: two trees, and the edits that make of the text of one the text
// of the other.

#include <doctest/doctest.h>

#include <string>

#include "dra/json/yaml.h"
#include "dra/json/yaml_edit.h"

namespace dra::json::yaml_change_test {
namespace {

Value gone(Value object) {
  object.remove("gone");
  return object;
}

Value grown(Value object) {
  object.set("new", Value::array({Value::object({{"name", "x", {}}})}));
  return object;
}

Value both(Value object) { return grown(gone(std::move(object))); }

Value appended(Value object) {
  object.find("list")->push(Value::object({{"key", "x", {}}, {"value", "yes", {}}}));
  return object;
}

Value inserted(Value object) {
  auto& items = object.find("list")->items();
  items.insert(items.begin() + 1, Value::object({{"key", "x", {}}, {"value", 1, {}}}));
  return object;
}

struct Row {
  const char* name;
  Value (*change)(Value);
  const char* before;
  const char* after;  // nullptr: there is no edit
};

const Row kRows[] = {
    {"a member of a block goes, and the comments above it stay", gone,
     "a: 1\n# why\ngone: # this\n  - 1\n# b\nb: 2\n", "a: 1\n# why\n# b\nb: 2\n"},
    {"comments in what goes stay", both, "a: 1\ngone:\n  # one\n  b: 1\n",
     "a: 1\n# one\nnew:\n- name: x\n"},
    {"what looks like a comment in a text goes", gone, "gone: |\n  # one\n  b\nc: 1\n", "c: 1\n"},
    {"a list as far out as its key goes with it", gone, "gone:\n- 1\n- 2\nb: 2\n", "b: 2\n"},
    {"the last member of a block goes", gone, "a: 1\ngone: |\n  x\n\n  y\n", "a: 1\n"},
    {"a member comes behind the last, before what follows", grown, "a:\n  b: 1\n\n# end\n",
     "a:\n  b: 1\nnew:\n- name: x\n\n# end\n"},
    {"lists that are further in than their key stay so", grown, "a:\n  - 1\n",
     "a:\n  - 1\nnew:\n  - name: x\n"},
    {"the only member of a block is another", both, "gone: 1\n", "new:\n- name: x\n"},
    {"members in braces", both, "{a: 1, gone: {b: [2, '}']}, c: 3}\n",
     "{a: 1, c: 3, new: [{name: x}]}\n"},
    {"the last in braces", both, "{a: 1, gone: 2 }\n", "{a: 1, new: [{name: x}] }\n"},
    {"the only one in braces", both, "{ gone: 2 }\n", "{ new: [{name: x}] }\n"},
    {"nothing in braces", grown, "{}\n", "{new: [{name: x}]}\n"},
    {"JSON on several lines", both, "{\n  \"a\": 1,\n  \"gone\": 2\n}\n",
     "{\n  \"a\": 1,\n  \"new\": [\n      {\n          \"name\": \"x\"\n      }\n  ]\n}\n"},
    {"JSON on one line", both, "{\"a\":1,\"gone\":2}\n",
     "{\"a\":1, \"new\": [{\"name\":\"x\"}]}\n"},
    {"an item behind the last", appended, "list:\n- key: a\n  # of a\nb: 1\n",
     "list:\n- key: a\n- key: x\n  value: \"yes\"\n  # of a\nb: 1\n"},
    {"an item in brackets", appended, "list: [{key: a}]\n",
     "list: [{key: a}, {key: x, value: \"yes\"}]\n"},
    {"the first item in brackets", appended, "list: []\n", "list: [{key: x, value: \"yes\"}]\n"},
    {"an item before the second and its comments", inserted, "list:\n  - 1\n  # two\n  - 2\n",
     "list:\n  - 1\n  - key: x\n    value: 1\n  # two\n  - 2\n"},
    {"an item before the second in brackets", inserted, "list: [1, 2]\n",
     "list: [1, {key: x, value: 1}, 2]\n"},
    {"nothing is left of a block", gone, "gone: 1\n", nullptr},
    {"the first member behind a dash cannot go alone",
     [](Value object) {
       object.find("list")->items()[0].remove("gone");
       return object;
     },
     "list:\n- gone: 1\n  b: 2\n", nullptr},
    {"a scalar is another",
     [](Value object) {
       object.set("a", 2);
       return object;
     },
     "a: 1\n", nullptr},
};

TEST_CASE("a change of the tree is a change of the text") {
  for (const Row& row : kRows) {
    CAPTURE(row.name);
    const auto documents = parse_yaml(row.before);
    REQUIRE(documents.ok());
    const Value& before = documents.value().front();
    auto edits = YamlText(row.before).change(before, row.change(before));
    REQUIRE(edits.has_value() == (row.after != nullptr));
    if (edits) CHECK(with_edits(row.before, *std::move(edits)) == row.after);
  }
}

TEST_CASE("a document is put before another, below the comments of the file") {
  const std::string text = "# file\n\n# of a\na: 1\n---\n# of b\nb: 1\n--- {c: 1}\n";
  const auto documents = parse_yaml(text);
  REQUIRE(documents.value().size() == 3);
  const YamlText source(text);
  std::vector<TextEdit> edits;
  for (std::size_t i = 0; i < 2; ++i)
    edits.push_back(source.insert_before(documents.value()[i], "x\n---\n").value());
  CHECK(with_edits(text, std::move(edits)) ==
        "# file\n\nx\n---\n# of a\na: 1\n---\nx\n---\n# of b\nb: 1\n--- {c: 1}\n");
  CHECK_FALSE(source.insert_before(documents.value()[2], "x\n---\n").has_value());
}

}  // namespace
}  // namespace dra::json::yaml_change_test
