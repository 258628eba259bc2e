// tests/snapshot/load_test.cpp: files, directories, standard input and demos. Servers: load_live.

#include "dra/snapshot/load.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/api/claim.h"
#include "dra/api/cluster_objects.h"
#include "dra/api/slice.h"
#include "tests/support/builders.h"
#include "tests/support/temp_dir.h"

namespace dra::snapshot::load_test {
namespace {

constexpr const char* kNodeA = "---\n{apiVersion: v1, kind: Node, metadata: {name: a}}\n";
constexpr const char* kNodeB = "---\n{apiVersion: v1, kind: Node, metadata: {name: b}}\n";

Source from(std::vector<std::string> files, std::string input = "") {
  Source source;
  source.files = std::move(files);
  source.standard_input = [input]() -> Result<std::string> { return input; };
  return source;
}

std::string nodes_of(const Result<Snapshot>& loaded) {
  if (!loaded.ok()) return loaded.error().message;
  std::string names;
  for (const api::Node& node : loaded.value().all<api::Node>())
    names += std::string(node.meta.name) + " ";
  return names;
}

TEST_CASE("files, standard input and directories") {
  const support::TempDir dir;
  const std::string a = dir.write("a.yaml", kNodeA);
  const std::string b = dir.write("sub/b.yml", kNodeB);
  dir.write("sub/c.json", R"({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "c"}})");
  dir.write("sub/readme.txt", "not: [yaml");
  dir.write("sub/deeper/d.yaml", "not: [yaml");
  CHECK(nodes_of(load(from({a}), {})) == "a ");
  CHECK(nodes_of(load(from({b, a}), {})) == "a b ");
  CHECK(nodes_of(load(from({dir.path("sub")}), {})) == "b c ");
  CHECK(nodes_of(load(from({"-"}, kNodeB), {})) == "b ");
  CHECK(nodes_of(load(from({a, "-"}, kNodeB), {})) == "a b ");
  CHECK(nodes_of(load(from({"-"}), {})) == "");
}

TEST_CASE("a recorded refusal of what only adds to an answer is no gap") {
  const support::TempDir dir;
  const std::string recorded =
      dir.write("facts.yaml",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: kubectl-dra-snapshot},\n"
                R"( data: {missing: '{"nodes":"forbidden"}'}})");
  const auto gaps = [&](const std::vector<Need>& needs) {
    const auto loaded = load(from({recorded}), needs);
    REQUIRE(loaded.ok());
    return std::pair(loaded.value().coverage().missing().size(),
                     loaded.value().coverage().saw(api::Kind::Node));
  };
  CHECK(gaps({{.kind = api::Kind::Node}}) == std::pair(std::size_t{1}, false));
  CHECK(gaps({{.kind = api::Kind::Node, .aside = true}}) == std::pair(std::size_t{0}, false));
  CHECK(gaps({{.kind = api::Kind::Node, .aside = true}, {.kind = api::Kind::Node}}) ==
        std::pair(std::size_t{1}, false));
}

TEST_CASE("that files hold no pod groups says nothing, unless they list what was read") {
  const std::vector<Need> needs = {{.kind = api::Kind::PodGroup, .if_groups_wait = true}};
  const support::TempDir dir;
  const std::string node = dir.write("a.yaml", kNodeA);
  const std::string group = dir.write(
      "g.yaml",
      "{apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, metadata: {name: g, namespace: x}}");
  const std::string read =
      dir.write("facts.yaml",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: kubectl-dra-snapshot},\n"
                R"( data: {resourceVersions: '{"podgroups":"7"}'}})");
  const auto saw = [&](const std::vector<std::string>& files) {
    const auto loaded = load(from(files), needs);
    REQUIRE(loaded.ok());
    CHECK(loaded.value().coverage().saw_all());
    return loaded.value().coverage().saw(api::Kind::PodGroup);
  };
  CHECK_FALSE(saw({node}));
  CHECK(saw({node, group}));
  CHECK(saw({node, read}));
}

TEST_CASE("kinds that files hold nothing of are gaps, unless something tells that there is none") {
  const std::vector<Need> needs = {{.kind = api::Kind::Pod, .essential = true},
                                   {.kind = api::Kind::Node},
                                   {.kind = api::Kind::TaintRule}};
  const support::TempDir dir;
  const std::string node = dir.write("a.yaml", kNodeA);
  const std::string whole =
      dir.write("ns.yaml", "{apiVersion: v1, kind: Namespace, metadata: {name: x}}");
  const std::string recorded = dir.write(
      "facts.yaml", "{apiVersion: v1, kind: ConfigMap, metadata: {name: kubectl-dra-snapshot}}");
  const auto partial = load(from({node}), needs);
  REQUIRE(partial.ok());
  REQUIRE(partial.value().coverage().missing().size() == 1);
  CHECK(cannot_be_read(partial.value().coverage().missing().front()) ==
        "pods are not in the files");
  CHECK_FALSE(partial.value().coverage().saw(api::Kind::Pod));
  for (const std::string& more : {whole, recorded}) {
    const auto loaded = load(from({node, more}), needs);
    REQUIRE(loaded.ok());
    CHECK(loaded.value().coverage().saw_all());
  }
}

TEST_CASE("what is not there is an error") {
  const support::TempDir dir;
  const std::string missing = dir.path("missing.yaml");
  CHECK(nodes_of(load(from({missing}), {})).find(missing) != std::string::npos);
  dir.write("empty/readme.txt", "x");
  const auto empty = load(from({dir.path("empty")}), {});
  REQUIRE_FALSE(empty.ok());
  CHECK(empty.error().kind == ErrorKind::BadInput);
  CHECK(empty.error().message ==
        dir.path("empty") + ": no .yaml, .yml or .json file in this directory");
}

TEST_CASE("errors in files of a directory, and on standard input, say where") {
  const support::TempDir dir;
  const std::string bad = dir.write("x/bad.yaml", "kind: Pod\n");
  CHECK(nodes_of(load(from({dir.path("x")}), {})).starts_with(bad + ": line 1, column 1: "));
  CHECK(nodes_of(load(from({"-"}, "kind: Pod\n"), {})).starts_with("standard input: line 1"));
}

TEST_CASE("standard input that cannot be read is an error") {
  Source source = from({"-"});
  source.standard_input = []() -> Result<std::string> {
    return Error{ErrorKind::Io, "closed", {}};
  };
  CHECK(nodes_of(load(source, {})) == "closed");
}

TEST_CASE("every demo loads, with a clock of its own") {
  REQUIRE_FALSE(demos().empty());
  for (const Demo& demo : demos()) {
    CAPTURE(std::string(demo.name));
    Source source;
    source.demo = demo.name;
    CHECK_FALSE(source.live());
    const auto loaded = load(source, {});
    REQUIRE(loaded.ok());
    CHECK_FALSE(loaded.value().all<api::ResourceSlice>().empty());
    CHECK_FALSE(loaded.value().all<api::ResourceClaim>().empty());
    CHECK(loaded.value().warnings().empty());
    REQUIRE(loaded.value().taken());
    CHECK(base::format_rfc3339(*loaded.value().taken()) == "2026-11-20T09:30:00Z");
  }
}

TEST_CASE("a demo that does not exist names those that do") {
  Source source;
  source.demo = "none";
  const auto loaded = load(source, {});
  REQUIRE_FALSE(loaded.ok());
  CHECK(loaded.error().message == "there is no demo \"none\"");
  for (const Demo& demo : demos())
    CHECK(loaded.error().hint.find(demo.name) != std::string::npos);
}

TEST_CASE("every fixture loads without a warning") {
  REQUIRE(support::fixtures().size() >= 10);
  for (const std::string& path : support::fixtures()) {
    CAPTURE(path);
    CHECK(support::load(path).warnings().empty());
  }
}

TEST_CASE("the namespace to look into, away from a server") {
  Source source = from({"-"});
  CHECK(default_namespace(source).value() == "default");
  source.flags.namespace_ = "ml";
  CHECK(default_namespace(source).value() == "ml");
}

}  // namespace
}  // namespace dra::snapshot::load_test
