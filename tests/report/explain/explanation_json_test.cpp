// tests/report/explain/explanation_json_test.cpp: the published contract of explanations as JSON.

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string>

#include "dra/api/device_class.h"
#include "dra/api/taint_rule.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/inventory.h"
#include "dra/json/write.h"
#include "dra/report/explain/explanation.h"
#include "dra/snapshot/draft.h"
#include "tests/support/builders.h"
#include "tests/support/document_text.h"
#include "tests/support/files.h"

namespace dra::report::explanation_json_test {
namespace {

using json::Value;
using support::exactly;
using support::scene;

std::string keys_of(const Value& object) {
  std::vector<std::string> keys;
  for (const json::Member& member : object.members())
    keys.push_back(member.key);
  return base::join(keys, " ");
}

// Calls `on_explanation` for every pod with claims and every claim of a snapshot.
template <class F>
void for_each_subject(const snapshot::Snapshot& snapshot, F on_explanation) {
  for (const api::Pod& pod : snapshot.all<api::Pod>())
    on_explanation(answers::explain_pod(snapshot, pod));
  for (const api::ResourceClaim& claim : snapshot.all<api::ResourceClaim>()) {
    on_explanation(answers::explain_claims(snapshot, std::string(claim.meta.namespace_),
                                           {std::string(claim.meta.name)}));
  }
}

bool one_of(const Value* value, std::initializer_list<std::string_view> words) {
  return value != nullptr && std::ranges::find(words, value->text()) != words.end();
}

void check_reason(const Value& reason) {
  const auto codes = diag::all_codes();
  const std::string& code = reason.find("code")->text();
  CAPTURE(code);
  CHECK(std::ranges::find(codes, code, &diag::CodeInfo::name) != codes.end());
  CHECK(one_of(reason.find("certainty"), {"Proven", "AsFarAsVisible", "Heuristic"}));
  CHECK_FALSE(reason.find("message")->text().empty());
  if (const Value* holders = reason.find("holders")) {
    for (const Value& holder : holders->items()) {
      CHECK(holder.find("claim")->text().find('/') != std::string::npos);
      CHECK(holder.find("device") != nullptr);
    }
  }
}

void check_node(const Value& node) {
  CHECK(keys_of(node).starts_with("name fits aborts"));
  const bool fits = node.find("fits")->text() == "true";
  CHECK(one_of(node.find("fits"), {"true", "false", ""}));  // null where it is not known
  if (node.find("aborts")->text() == "true") CHECK(node.find("fits")->text() == "false");
  for (const Value& reason : node.find("reasons")->items())
    check_reason(reason);
  const bool out = node.find("fits")->text() == "false";
  CHECK((!out || !node.find("reasons")->items().empty()));
  for (const Value& reason : node.find("otherReasons")->items())
    check_reason(reason);
  for (const char* list : {"otherReasons", "allocation", "drivers"}) {
    REQUIRE(node.find(list) != nullptr);
    CHECK(node.find(list)->is(json::Kind::Array));
  }
  CHECK((fits || node.find("allocation")->items().empty()));
}

void check_claim(const Value& claim) {
  CHECK(one_of(claim.find("state"), {"pending", "allocated", "missing", "notCreated", "deleting"}));
  CHECK((claim.find("name") != nullptr || claim.find("podClaim") != nullptr));
  for (const Value& request : claim.find("requests")->items()) {
    CHECK(keys_of(request).starts_with("request class mode"));
    CHECK(one_of(request.find("mode"), {"ExactCount", "All"}));
    CHECK((request.find("count") != nullptr) == (request.find("mode")->text() == "ExactCount"));
    for (const Value& selector : request.find("selectors")->items()) {
      CHECK(keys_of(selector).starts_with("source selector expression"));
      CHECK(one_of(selector.find("source"), {"class", "request"}));
    }
  }
}

// Every node stands in exactly one group.
void check_groups(const Value& report) {
  std::multiset<std::string> grouped;
  for (const Value& group : report.find("groups")->items()) {
    for (const Value& node : group.find("nodes")->items())
      grouped.insert(node.text());
  }
  std::multiset<std::string> nodes;
  for (const Value& node : report.find("nodes")->items())
    nodes.insert(node.find("name")->text());
  CHECK(grouped == nodes);
}

TEST_CASE("every explanation keeps the contract") {
  for (const std::string& path : support::fixtures()) {
    const auto snapshot = support::load(path);
    for_each_subject(snapshot, [&](const Explanation& explanation) {
      const std::string headline = explanation.headline.text();
      CAPTURE(headline);
      const Value report = to_json(explanation);
      CHECK(keys_of(report).starts_with("apiVersion kind subject verdict summary"));
      CHECK(report.find("apiVersion")->text() == "dra.kubectl/v1");
      CHECK(report.find("kind")->text() == "Explanation");
      CHECK(keys_of(*report.find("subject")) == "kind namespace name");
      CHECK(report.find("subjects") == nullptr);
      CHECK(report.find("verdict")->text() == name_of(explanation.verdict));
      CHECK(keys_of(*report.find("server")) == (explanation.server.gates.empty()
                                                    ? "version assumed features"
                                                    : "version assumed gates features"));
      CHECK(report.find("coverage") == nullptr);
      for (const char* list :
           {"blockers", "claims", "nodes", "groups", "conflicts", "advice", "after"}) {
        REQUIRE(report.find(list) != nullptr);
        CHECK(report.find(list)->is(json::Kind::Array));
      }
      for (const Value& reason : report.find("blockers")->items())
        check_reason(reason);
      for (const Value& claim : report.find("claims")->items())
        check_claim(claim);
      for (const Value& node : report.find("nodes")->items())
        check_node(node);
      check_groups(report);
      const bool blocked = explanation.verdict == Verdict::Blocked;
      CHECK((!blocked || !report.find("blockers")->items().empty()));
    });
  }
}

TEST_CASE("gates that the server has told are not assumed") {
  snapshot::Draft draft(scene().slice("n1", {"gpu-0"}).claim("a", exactly("gpu", 1)).build());
  draft.set_server({.version = "v1.37.1",
                    .assumed = false,
                    .gates = {{"DRAListTypeAttributes", false}, {"DRAListTypeAttributes", true}},
                    .gates_known = true});
  const snapshot::Snapshot snapshot = std::move(draft).finish();
  const Value report = to_json(answers::explain_claims(snapshot, "default", {"a"}));
  const Value& server = *report.find("server");
  CHECK(keys_of(server) == "version assumed gates features");
  CHECK(server.find("assumed")->text() == "false");
  CHECK(write_json(*server.find("gates"), json::Style::Compact) ==
        R"({"DRAListTypeAttributes":true})");
  CHECK(write_json(*server.find("features"), json::Style::Compact).find("DRAListTypeAttributes") !=
        std::string::npos);
}

TEST_CASE("an allocation says on which nodes its claim can be used then") {
  const auto selectors = [](support::Scene scene) {
    const auto snapshot = scene.node("n1", "rack: r1").claim("c", exactly("gpu", 2)).build();
    const Value report = to_json(answers::explain_claims(snapshot, "default", {"c"}));
    const Value* found = report.find("nodes")->items().front().find("nodeSelectors");
    return found == nullptr ? "" : write_json(*found, json::Style::Compact);
  };
  const std::string start = R"([{"claim":"default/c","nodeSelector":)";
  const std::string rack =
      "nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: rack, "
      "operator: In, values: [r1]}]}]}";
  CHECK(selectors(scene().slice("n1", {"a", "b"})) ==
        start + R"({"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name",)"
                R"("operator":"In","values":["n1"]}]}]}}])");
  CHECK(selectors(scene().slice({.name = "s", .devices = "{name: a}, {name: b}"})) ==
        start + "null}]");
  CHECK(selectors(scene().slice({.name = "s", .where = rack, .devices = "{name: a}, {name: b}"})) ==
        start + R"({"nodeSelectorTerms":[{"matchExpressions":[{"key":"rack","operator":"In",)"
                R"("values":["r1"]}]}]}}])");
  CHECK(selectors(scene().slice({.name = "s", .where = rack, .devices = "{name: a}"})).empty());
}

TEST_CASE("what stands there only sometimes") {
  const auto snapshot = scene()
                            .slice("n1", {"gpu-0"})
                            .claim("a1", exactly("gpu", 1, "adminAccess: true"))
                            .claim("b1", exactly("gpu", 1))
                            .server("v1.34.1")
                            .cannot_read(api::Kind::Claim)
                            .build();
  const Value report = to_json(answers::explain_claims(snapshot, "default", {"a1", "b1"}));
  REQUIRE(report.find("subjects") != nullptr);
  CHECK(report.find("subjects")->items().size() == 2);
  CHECK(write_json(*report.find("coverage"), json::Style::Compact) ==
        R"({"missing":[{"kind":"ResourceClaim","reason":"forbidden"}]})");
  CHECK(report.at({"server", "version"})->text() == "v1.34.1");
  // The version is known, the gates are those of the release.
  CHECK(report.at({"server", "assumed"})->text() == "true");
  const Value& node = report.find("nodes")->items().front();
  CHECK(node.find("assumed")->text() == "true");
  CHECK(node.find("drivers")->items().front().find("free")->is(json::Kind::Null));
  const Value& claims = *report.find("claims");
  const Value& request = claims.items()[0].find("requests")->items().front();
  CHECK(request.find("adminAccess")->text() == "true");
  CHECK(claims.items()[1].find("requests")->items().front().find("adminAccess") == nullptr);
  CHECK(report.find("scheduler") == nullptr);
}

// The documents of a file in the opposite order.
std::string reversed(const std::string& text) {
  std::string out;
  std::string_view rest = text;
  while (true) {
    const std::size_t at = rest.rfind("\n---\n");
    if (at == std::string_view::npos) return out + "---\n" + std::string(rest) + "\n";
    out += "---\n" + std::string(rest.substr(at + 5)) + "\n";
    rest = rest.substr(0, at);
  }
}

std::string all_of(const snapshot::Snapshot& snapshot) {
  std::string text;
  for_each_subject(snapshot, [&](const Explanation& explanation) {
    text += write_json(to_json(explanation), json::Style::Pretty) + "\n";
  });
  return text;
}

TEST_CASE("the same state gives the same bytes, in whatever order it was read") {
  for (const std::string& path : support::fixtures()) {
    CAPTURE(path);
    const auto forwards = support::load(path);
    const auto backwards =
        support::Scene(support::Scene::Empty()).yaml(reversed(support::read(path))).build();
    CHECK(all_of(forwards) == all_of(backwards));
  }
}

// Names of everything in a snapshot that a text could mention.
std::set<std::string_view> names_in(const snapshot::Snapshot& snapshot) {
  std::set<std::string_view> names;
  const auto add = [&names](const auto& objects) {
    for (const auto& object : objects)
      names.insert(object.meta.name);
  };
  add(snapshot.all<api::Node>());
  add(snapshot.all<api::Pod>());
  add(snapshot.all<api::ResourceClaim>());
  add(snapshot.all<api::ResourceClaimTemplate>());
  add(snapshot.all<api::DeviceClass>());
  add(snapshot.all<api::DeviceTaintRule>());
  const engine::Inventory inventory(snapshot);
  for (const engine::Pool& pool : inventory.pools()) {
    names.insert(pool.driver);
    names.insert(pool.name);
  }
  for (const auto& device : inventory.devices())
    names.insert(device.published.device->name);
  for (const diag::CodeInfo& code : diag::all_codes())
    names.insert(code.name);
  return names;
}

// Whether a name stands in a text as a word of its own.
bool mentions(const std::string& text, std::string_view name) {
  const auto part_of_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.';
  };
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool starts = at == 0 || !part_of_name(text[at - 1]);
    const bool ends = end >= text.size() || !part_of_name(text[end]);
    if (starts && ends) return true;
  }
  return false;
}

TEST_CASE("the text never says a name or a code that the JSON does not") {
  for (const std::string& path : support::fixtures()) {
    CAPTURE(path);
    const auto snapshot = support::load(path);
    const auto names = names_in(snapshot);
    for_each_subject(snapshot, [&](const Explanation& explanation) {
      const std::string text = support::text_of(to_view(explanation, {.wide = true}));
      const std::string report = write_json(to_json(explanation), json::Style::Compact);
      for (const std::string_view name : names) {
        // Names of one or two characters are words of every text.
        if (name.size() < 3 || !mentions(text, name)) continue;
        CAPTURE(std::string(name));
        const std::string headline = explanation.headline.text();
        CAPTURE(headline);
        CHECK(mentions(report, name));
      }
    });
  }
}

}  // namespace
}  // namespace dra::report::explanation_json_test
