// tests/answers/problems/subset_of_kinds_test.cpp: dumps that hold only some kinds of a cluster's
// objects. What is said of such a dump, the whole cluster does not contradict.

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "dra/answers/explain/explanation.h"
#include "dra/answers/problems/problems.h"
#include "dra/base/text.h"
#include "dra/json/yaml.h"
#include "dra/snapshot/builder.h"
#include "tests/support/builders.h"
#include "tests/support/files.h"
#include "tests/support/seed.h"

namespace dra::answers::subset_of_kinds_test {
namespace {

// The documents of a file by the kind that they are of.
using Documents = std::map<std::string, std::vector<std::string>>;

Documents documents_in(const std::string& path) {
  Documents documents;
  std::string text = support::read(path);
  std::string document;
  std::string kind;
  const auto end = [&] {
    if (!kind.empty()) documents[kind].push_back(document);
    document.clear();
    kind.clear();
  };
  for (const std::string_view line : base::split(text, '\n')) {
    if (line.starts_with("---")) {
      end();
      continue;
    }
    if (line.starts_with("kind: ")) kind = line.substr(6);
    document += line;
    document += '\n';
  }
  end();
  return documents;
}

snapshot::Snapshot dump_of(const Documents& documents, const std::set<std::string>& kinds) {
  std::string text;
  for (const auto& [kind, all] : documents) {
    for (const std::string& document : all) {
      if (kinds.contains(kind)) text += "---\n" + document;
    }
  }
  snapshot::Builder builder;
  REQUIRE(builder.add_text(text, "dump").ok());
  builder.note_kinds_not_in_files();
  auto built = std::move(builder).build();
  REQUIRE(built.ok());
  return std::move(built).take();
}

struct Statements {
  // Codes only: a problem of a waiting pod has the pod as its subject or, in a dump without pods,
  // the claim.
  std::set<diag::Code> problems;
  std::map<std::string, Verdict> verdicts;  // by pod
};

Statements statements_of(const snapshot::Snapshot& snapshot) {
  const engine::Inventory inventory(snapshot);
  const engine::NodeLoads loads(snapshot);
  Statements statements;
  for (const Problem& problem : find_problems({snapshot, inventory}, ""))
    statements.problems.insert(problem.finding.code);
  for (const api::Pod& pod : snapshot.all<api::Pod>()) {
    const Explanation explanation = explain_pod(snapshot, inventory, loads, pod);
    statements.verdicts[base::format("{}/{}", pod.meta.namespace_, pod.meta.name)] =
        explanation.verdict;
  }
  return statements;
}

// Of the dump itself; and what holds in the whole, too, where more is known that says the same: who
// is evicted by a taint, why a device is not prepared, why a claim is not made.
bool may_be_told_otherwise(diag::Code code) {
  using enum diag::Code;
  return code == NotVisible || code == DeviceTainted || code == PrepareFailed ||
         code == ClaimNotCreated || code == ClaimCreationFailed;
}

TEST_CASE("what a dump of some kinds says holds for the whole") {
  std::mt19937_64 random = support::seeded();
  const std::uint64_t count = support::cases(15);
  for (const std::string& path : support::fixtures()) {
    CAPTURE(path);
    const Documents documents = documents_in(path);
    std::set<std::string> all;
    for (const auto& [kind, unused] : documents)
      all.insert(kind);
    const Statements whole = statements_of(dump_of(documents, all));
    for (std::uint64_t i = 0; i < count; ++i) {
      std::set<std::string> kinds;
      for (const std::string& kind : all) {
        // With namespaces it is taken for a dump of the whole cluster.
        if (kind != "Namespace" && support::pick(random, 3) != 0) kinds.insert(kind);
      }
      std::string left_out;
      for (const std::string& kind : all) {
        if (!kinds.contains(kind)) left_out += " " + kind;
      }
      CAPTURE(left_out);
      const Statements part = statements_of(dump_of(documents, kinds));
      for (const diag::Code code : part.problems) {
        if (!may_be_told_otherwise(code))
          CHECK_MESSAGE(whole.problems.contains(code), diag::name_of(code));
      }
      for (const auto& [pod, verdict] : part.verdicts) {
        CAPTURE(pod);
        CHECK((verdict == Verdict::Undetermined || verdict == whole.verdicts.at(pod)));
      }
    }
  }
}

}  // namespace
}  // namespace dra::answers::subset_of_kinds_test
