// tests/engine/facts/node_match_test.cpp

#include "dra/engine/facts/node_match.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/api/slice.h"
#include "tests/support/builders.h"

namespace dra::engine::node_match_test {
namespace {

using support::scene;

// The node is `node-1` with the labels zone: a, cores: "8", empty: "".
struct Case {
  const char* name;
  const char* terms;  // of the selector, as YAML
  const char* want;   // "yes", "no" or "error"
};

const Case kCases[] = {
    {"a selector without terms matches nothing", "", "no"},
    {"an empty term matches nothing", "{}", "no"},
    {"an empty term does not spoil another",
     "{}, {matchExpressions: [{key: zone, operator: Exists}]}", "yes"},
    {"In holds for one of its values",
     "{matchExpressions: [{key: zone, operator: In, values: [b, a]}]}", "yes"},
    {"In fails for other values", "{matchExpressions: [{key: zone, operator: In, values: [b]}]}",
     "no"},
    {"In fails without the label", "{matchExpressions: [{key: rack, operator: In, values: [a]}]}",
     "no"},
    {"NotIn fails for one of its values",
     "{matchExpressions: [{key: zone, operator: NotIn, values: [a]}]}", "no"},
    {"NotIn holds for another value",
     "{matchExpressions: [{key: zone, operator: NotIn, values: [b]}]}", "yes"},
    {"NotIn holds without the label",
     "{matchExpressions: [{key: rack, operator: NotIn, values: [a]}]}", "yes"},
    {"Exists holds for an empty value", "{matchExpressions: [{key: empty, operator: Exists}]}",
     "yes"},
    {"Exists fails without the label", "{matchExpressions: [{key: rack, operator: Exists}]}", "no"},
    {"DoesNotExist holds without the label",
     "{matchExpressions: [{key: rack, operator: DoesNotExist}]}", "yes"},
    {"DoesNotExist fails with it", "{matchExpressions: [{key: zone, operator: DoesNotExist}]}",
     "no"},
    {"Gt compares numbers", "{matchExpressions: [{key: cores, operator: Gt, values: ['7']}]}",
     "yes"},
    {"Gt is not at least", "{matchExpressions: [{key: cores, operator: Gt, values: ['8']}]}", "no"},
    {"Lt compares numbers, not text",
     "{matchExpressions: [{key: cores, operator: Lt, values: ['10']}]}", "yes"},
    {"a label that is no number is neither",
     "{matchExpressions: [{key: zone, operator: Gt, values: "
     "['1']}]}",
     "no"},
    {"all expressions of a term must hold",
     "{matchExpressions: [{key: zone, operator: Exists}, {key: rack, operator: Exists}]}", "no"},
    {"one term is enough",
     "{matchExpressions: [{key: rack, operator: Exists}]}, {matchExpressions: [{key: zone, "
     "operator: "
     "Exists}]}",
     "yes"},
    {"a field names the node",
     "{matchFields: [{key: metadata.name, operator: In, values: [node-1]}]}", "yes"},
    {"a field names another node",
     "{matchFields: [{key: metadata.name, operator: In, values: [node-2]}]}", "no"},
    {"a field excludes another node",
     "{matchFields: [{key: metadata.name, operator: NotIn, values: [node-2]}]}", "yes"},
    {"expressions and fields of a term must hold both",
     "{matchExpressions: [{key: zone, operator: Exists}], matchFields: [{key: metadata.name, "
     "operator: "
     "In, values: [node-2]}]}",
     "no"},
    {"a node has no other fields", "{matchFields: [{key: spec.x, operator: In, values: [node-1]}]}",
     "no"},
    {"an unknown operator cannot be read",
     "{matchExpressions: [{key: zone, operator: Like, values: [a]}]}", "error"},
    {"In without values cannot be read", "{matchExpressions: [{key: zone, operator: In}]}",
     "error"},
    {"Exists with values cannot be read",
     "{matchExpressions: [{key: zone, operator: Exists, values: [a]}]}", "error"},
    {"Gt of a word cannot be read",
     "{matchExpressions: [{key: cores, operator: Gt, values: [many]}]}", "error"},
    {"a key that is not a valid label key cannot be read",
     "{matchExpressions: [{key: 'a b', operator: Exists}]}", "error"},
    {"a field takes exactly one value",
     "{matchFields: [{key: metadata.name, operator: In, values: [node-1, node-2]}]}", "error"},
    {"a field takes In and NotIn only", "{matchFields: [{key: metadata.name, operator: Exists}]}",
     "error"},
    {"what cannot be read is an error though another term matches",
     "{matchExpressions: [{key: zone, operator: Exists}]}, {matchExpressions: [{key: zone, "
     "operator: "
     "Like}]}",
     "error"},
    {"what cannot be read is an error behind a requirement that fails",
     "{matchExpressions: [{key: rack, operator: Exists}, {key: zone, operator: Like}]}", "error"},
    {"a field that cannot be read is an error behind one that fails",
     "{matchFields: [{key: metadata.name, operator: In, values: [node-2]}, {key: metadata.name, "
     "operator: Gt, values: ['1']}]}",
     "error"},
};

snapshot::Snapshot with_selector(std::string_view terms) {
  return scene()
      .node("node-1", "zone: a, cores: '8', empty: ''")
      .slice(
          {.name = "s", .where = "nodeSelector: {nodeSelectorTerms: [" + std::string(terms) + "]}"})
      .build();
}

const api::NodeSelector& selector_of(const snapshot::Snapshot& snapshot) {
  return *snapshot.all<api::ResourceSlice>().front().spec.node_selector;
}

TEST_CASE("node selectors") {
  for (const Case& row : kCases) {
    CAPTURE(row.name);
    const auto snapshot = with_selector(row.terms);
    const auto matched = matches(selector_of(snapshot), snapshot.all<api::Node>().front());
    const std::string got = !matched.ok() ? "error" : matched.value() ? "yes" : "no";
    CHECK(got == row.want);
  }
}

struct WordCase {
  const char* name;
  const char* terms;
  const char* only_node;
  const char* described;
};

const WordCase kWords[] = {
    {"as the scheduler writes it",
     "{matchFields: [{key: metadata.name, operator: In, values: [node-1]}]}", "node-1", "node-1"},
    {"excluding a node names none",
     "{matchFields: [{key: metadata.name, operator: NotIn, values: [node-1]}]}", "",
     "metadata.name!=node-1"},
    {"two terms name no single node",
     "{matchFields: [{key: metadata.name, operator: In, values: [node-1]}]}, {matchExpressions: "
     "[{key: "
     "zone, operator: Exists}]}",
     "", "metadata.name=node-1 or zone"},
    {"labels name no node",
     "{matchExpressions: [{key: zone, operator: In, values: [a, b]}, {key: rack, operator: "
     "DoesNotExist}]}",
     "", "zone in (a,b),!rack"},
    {"a label beside the name is more than a name",
     "{matchExpressions: [{key: zone, operator: Exists}], matchFields: [{key: metadata.name, "
     "operator: "
     "In, values: [node-1]}]}",
     "", "zone,metadata.name=node-1"},
    {"what cannot be read is named by its key", "{matchExpressions: [{key: zone, operator: Like}]}",
     "", "zone"},
};

TEST_CASE("selectors in a few characters") {
  for (const WordCase& row : kWords) {
    CAPTURE(row.name);
    const auto snapshot = with_selector(row.terms);
    CHECK(only_node(selector_of(snapshot)) == row.only_node);
    CHECK(describe(selector_of(snapshot)) == row.described);
  }
}

}  // namespace
}  // namespace dra::engine::node_match_test
