// tests/engine/scheduler/volumes/label_index_test.cpp

#include "src/engine/scheduler/volumes/label_index.h"

#include <doctest/doctest.h>

namespace dra::engine::label_index_test {
namespace {

using Places = std::vector<std::size_t>;

api::NodeSelectorTerm with(std::string_view key, std::string_view op,
                           std::vector<std::string_view> values) {
  return {.expressions = {{key, op, std::move(values)}}, .fields = {}};
}

api::Node node_with(std::initializer_list<std::pair<std::string_view, std::string_view>> labels) {
  api::Node node;
  for (const auto& [key, value] : labels)
    node.meta.labels.push_back({key, value});
  return node;
}

TEST_CASE("what is for a node is found by its labels, and what cannot be filed always") {
  LabelIndex index;
  index.add(api::NodeSelector{{with("host", "In", {"a"})}});
  index.add(api::NodeSelector{{with("host", "In", {"b"}), with("zone", "In", {"x", "y"})}});
  index.add(api::NodeSelector{{with("host", "NotIn", {"a"})}});
  index.add_for_all();
  index.add(api::NodeSelector{});
  index.add(api::LabelSelector{.labels = {}, .expressions = {{"host", "In", {"a", "b"}}}});
  index.add(api::LabelSelector{});
  CHECK(index.find(node_with({})) == Places{2, 3, 6});
  CHECK(index.find(node_with({{"host", "a"}})) == Places{0, 2, 3, 5, 6});
  CHECK(index.find(node_with({{"host", "b"}, {"zone", "y"}})) == Places{1, 2, 3, 5, 6});
}

TEST_CASE("a selector of labels is filed by its first") {
  LabelIndex index;
  api::LabelSelector selector;
  selector.labels.push_back({"host", "a"});
  selector.labels.push_back({"zone", "x"});
  index.add(selector);
  CHECK(index.find(node_with({{"host", "a"}})) == Places{0});
  CHECK(index.find(node_with({{"zone", "x"}})).empty());
}

}  // namespace
}  // namespace dra::engine::label_index_test
