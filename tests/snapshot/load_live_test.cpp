// tests/snapshot/load_live_test.cpp: what a server is asked for, and what becomes of its refusals.

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "dra/base/text.h"
#include "dra/snapshot/select.h"
#include "tests/support/scripted_server.h"
#include "tests/support/temp_dir.h"

namespace dra::snapshot::load_live_test {
namespace {

using api::Kind;
using support::ScriptedAnswer;
using support::ScriptedRequest;
using support::ScriptedServer;

const std::string kBase = "/apis/resource.k8s.io/v1";
const std::string kOlder = "/apis/resource.k8s.io/v1beta2";
const std::string kClaims = kBase + "/namespaces/ml/resourceclaims";
const std::string kSlices = kBase + "/resourceslices";

std::string claim(const std::string& name) {
  return R"({"kind":"ResourceClaim","apiVersion":"resource.k8s.io/v1","metadata":{"name":")" +
         name + R"(","namespace":"ml"}})";
}

std::string refusal(int code, const std::string& reason, const std::string& name = "") {
  return R"({"kind":"Status","apiVersion":"v1","status":"Failure","message":"no )" + name +
         R"(","reason":")" + reason + R"(","details":{"name":")" + name + R"("},"code":)" +
         std::to_string(code) + "}";
}

// Answers by path and query; what is not in the table is not found.
class Cluster {
 public:
  explicit Cluster(std::map<std::string, ScriptedAnswer> answers)
      : answers_(std::move(answers)),
        server_([this](const ScriptedRequest& request) { return answer_to(request); }) {}

  Source source() const {
    Source source;
    source.flags.kubeconfig = config_;
    source.flags.server = base::format("http://127.0.0.1:{}", server_.port());
    return source;
  }

  Result<Snapshot> load(const std::vector<Need>& needs) const {
    return snapshot::load(source(), needs);
  }

  // Without discovery.
  std::vector<std::string> asked() const {
    std::vector<std::string> targets;
    for (const ScriptedRequest& request : server_.requests()) {
      const bool discovery = request.target == "/version" ||
                             request.target == "/apis/resource.k8s.io" || request.target == kBase;
      if (!discovery) targets.push_back(request.target);
    }
    return targets;
  }

 private:
  ScriptedAnswer answer_to(const ScriptedRequest& request) const {
    if (request.target == "/version") return support::answer(200, R"({"gitVersion":"v1.37.1"})");
    if (request.target == "/apis/resource.k8s.io") {
      return support::answer(
          200, R"({"kind":"APIGroup","versions":[{"version":"v1"},{"version":"v1beta2"}]})");
    }
    if (request.target == kBase || request.target == kOlder) {
      return support::answer(200, R"({"kind":"APIResourceList","resources":[]})");
    }
    const auto found = answers_.find(request.target);
    return found == answers_.end() ? support::answer(404, refusal(404, "NotFound", "x"))
                                   : found->second;
  }

  support::TempDir dir_;
  std::string config_ = dir_.write("config", "apiVersion: v1\nkind: Config\n");
  std::map<std::string, ScriptedAnswer> answers_;
  ScriptedServer server_;
};

ScriptedAnswer list_of(const std::string& items) {
  return support::answer(200, R"({"kind":"List","metadata":{},"items":[)" + items + "]}");
}

std::string names_in(const Snapshot& snapshot, Kind kind) {
  std::string names;
  for (const ObjectRef& object : objects_of(snapshot, kind))
    names += std::string(object.meta->name) + " ";
  return names;
}

using Words = std::vector<std::string>;

TEST_CASE("an object that is named is got by its name, and nothing is listed") {
  const Cluster cluster({{kClaims + "/a", support::answer(200, claim("a"))}});
  const auto snapshot = cluster.load(
      {{.kind = Kind::Claim, .namespace_ = "ml", .essential = true, .names = {"a", "b"}}});
  REQUIRE(snapshot.ok());
  CHECK(cluster.asked() == Words{kClaims + "/a", kClaims + "/b"});
  CHECK(names_in(snapshot.value(), Kind::Claim) == "a ");
  REQUIRE(snapshot.value().refusals().size() == 1);
  const Refusal& missing = snapshot.value().refusals().front();
  CHECK(missing.name == "b");
  CHECK(missing.error.kind == ErrorKind::NotFound);
  CHECK(snapshot.value().coverage().saw_all());
}

TEST_CASE("selectors are sent, in kubectl's order") {
  const std::string query =
      "?fieldSelector=metadata.name%21%3Dx&labelSelector=a%20in%20%28b%2Cc%29";
  const Cluster cluster({{kClaims + query + "&limit=500", list_of(claim("a"))}});
  const auto snapshot = cluster.load({{.kind = Kind::Claim,
                                       .namespace_ = "ml",
                                       .field_selector = "metadata.name!=x",
                                       .label_selector = "a in (b,c)"}});
  REQUIRE(snapshot.ok());
  CHECK(cluster.asked() == Words{kClaims + query + "&limit=500"});
  CHECK(names_in(snapshot.value(), Kind::Claim) == "a ");
}

TEST_CASE("a name that could lead elsewhere stays one segment of the path") {
  const Cluster cluster({});
  CHECK(cluster.load({{.kind = Kind::Claim, .namespace_ = "m/l", .names = {"a?b"}}}).ok());
  CHECK(cluster.asked() == Words{kBase + "/namespaces/m%2Fl/resourceclaims/a%3Fb"});
}

TEST_CASE("what lies within another need is asked for only when that is refused") {
  const Need all{.kind = Kind::Slice};
  const Need one{.kind = Kind::Slice, .essential = true, .names = {"s"}};
  const std::string slice = R"({"metadata":{"name":"s"}})";
  const Cluster open({{kSlices + "?limit=500", list_of(slice)}});
  const auto seen = open.load({one, all});
  REQUIRE(seen.ok());
  CHECK(open.asked() == Words{kSlices + "?limit=500"});
  CHECK(names_in(seen.value(), Kind::Slice) == "s ");

  const Cluster closed({{kSlices + "?limit=500", support::answer(403, refusal(403, "Forbidden"))},
                        {kSlices + "/s", support::answer(200, slice)}});
  const auto got = closed.load({one, all});
  REQUIRE(got.ok());
  CHECK(closed.asked() == Words{kSlices + "?limit=500", kSlices + "/s"});
  CHECK(names_in(got.value(), Kind::Slice) == "s ");
  REQUIRE(got.value().coverage().find(Kind::Slice) != nullptr);
  CHECK(got.value().coverage().find(Kind::Slice)->reason == "forbidden to list resourceslices");
}

TEST_CASE("of a kind that may be listed in one namespace only, that namespace is known") {
  const std::string everywhere = kBase + "/resourceclaims?limit=500";
  const Cluster cluster({{everywhere, support::answer(403, refusal(403, "Forbidden"))},
                         {kClaims + "?limit=500", list_of(claim("a"))}});
  const auto snapshot = cluster.load(
      {{.kind = Kind::Claim}, {.kind = Kind::Claim, .namespace_ = "ml", .essential = true}});
  REQUIRE(snapshot.ok());
  CHECK(names_in(snapshot.value(), Kind::Claim) == "a ");
  const Coverage& coverage = snapshot.value().coverage();
  CHECK_FALSE(coverage.saw(Kind::Claim));
  CHECK(coverage.saw(Kind::Claim, "ml"));
  CHECK_FALSE(coverage.saw(Kind::Claim, "other"));
  CHECK_FALSE(coverage.saw(Kind::Claim, ""));
  CHECK(coverage.saw(Kind::Pod, "other"));
}

TEST_CASE("the same need twice is asked for once, and is essential if one of them is") {
  const Cluster cluster(
      {{kSlices + "?limit=500", support::answer(403, refusal(403, "Forbidden"))}});
  const auto snapshot =
      cluster.load({{.kind = Kind::Slice, .essential = true}, {.kind = Kind::Slice}});
  REQUIRE_FALSE(snapshot.ok());
  CHECK(snapshot.error().kind == ErrorKind::Denied);
  CHECK(cluster.asked().size() == 1);
}

TEST_CASE("a refused name that is not essential is a gap") {
  const Cluster cluster({{kClaims + "/a", support::answer(403, refusal(403, "Forbidden", "a"))}});
  const auto snapshot = cluster.load({{.kind = Kind::Claim, .namespace_ = "ml", .names = {"a"}}});
  REQUIRE(snapshot.ok());
  CHECK(snapshot.value().refusals().size() == 1);
  CHECK(snapshot.value().coverage().find(Kind::Claim)->reason ==
        "forbidden to get resourceclaims in namespace ml");
}

TEST_CASE("a version that was asked for is used, or is an error") {
  const Cluster cluster({{"/apis/resource.k8s.io/v1beta2/resourceslices?limit=500", list_of("")}});
  CHECK(cluster.load({{.kind = Kind::Slice, .version = "v1beta2"}}).ok());
  const auto missing = cluster.load({{.kind = Kind::Slice, .version = "v1beta1"}});
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.error().message ==
        "the server doesn't have a resource type \"resourceslices\" in group "
        "\"v1beta1.resource.k8s.io\"");
}

TEST_CASE("taint rules that are not served are absent, unless the answer is about them") {
  const Cluster cluster({});
  const auto absent = cluster.load({{.kind = Kind::TaintRule}});
  REQUIRE(absent.ok());
  CHECK(absent.value().coverage().saw_all());
  const auto wanted = cluster.load({{.kind = Kind::TaintRule, .essential = true}});
  REQUIRE_FALSE(wanted.ok());
  CHECK(wanted.error().message == "the server doesn't have a resource type \"devicetaintrules\"");
}

// The answers of a server with one pod, which serves pod groups as Kubernetes 1.36 does.
std::map<std::string, ScriptedAnswer> with_pod(const std::string& spec) {
  return {
      {"/api/v1/pods?limit=500",
       list_of(R"({"metadata":{"name":"p","namespace":"ml"},"spec":{)" + spec + "}}")},
      {"/apis/scheduling.k8s.io",
       support::answer(200, R"({"kind":"APIGroup","versions":[{"version":"v1alpha2"}]})")},
      {"/apis/scheduling.k8s.io/v1alpha2",
       support::answer(200, R"({"kind":"APIResourceList","resources":[{"name":"podgroups"}]})")},
      {"/apis/scheduling.k8s.io/v1alpha2/podgroups?limit=500",
       list_of(R"({"metadata":{"name":"g","namespace":"ml"}})")}};
}

TEST_CASE("pod groups are asked for only if a pod that waits has one") {
  const std::vector<Need> needs = {
      {.kind = Kind::Pod},
      {.kind = Kind::PodGroup, .if_groups_wait = true},
      {.kind = Kind::PodGroup, .namespace_ = "ml", .if_groups_wait = true}};
  const std::string of_group = R"("schedulingGroup":{"podGroupName":"g"})";
  const std::string groups = "/apis/scheduling.k8s.io/v1alpha2/podgroups?limit=500";
  for (const std::string& spec : {std::string(), R"("nodeName":"n",)" + of_group}) {
    const Cluster cluster(with_pod(spec));
    const auto snapshot = cluster.load(needs);
    REQUIRE(snapshot.ok());
    CHECK(cluster.asked() == Words{"/api/v1/pods?limit=500"});
    CHECK_FALSE(snapshot.value().coverage().saw(Kind::PodGroup));
    CHECK(snapshot.value().coverage().saw_all());
  }
  const Cluster cluster(with_pod(of_group));
  const auto snapshot = cluster.load(needs);
  REQUIRE(snapshot.ok());
  CHECK(cluster.asked().back() == groups);
  CHECK(names_in(snapshot.value(), Kind::PodGroup) == "g ");
  CHECK(snapshot.value().coverage().saw(Kind::PodGroup));

  auto refused = with_pod(of_group);
  refused[groups] = support::answer(403, refusal(403, "Forbidden"));
  refused["/apis/scheduling.k8s.io/v1alpha2/namespaces/ml/podgroups?limit=500"] = list_of("");
  const auto partial = Cluster(refused).load(needs);
  REQUIRE(partial.ok());
  CHECK_FALSE(partial.value().coverage().saw(Kind::PodGroup));
  CHECK(partial.value().coverage().saw(Kind::PodGroup, "ml"));

  auto without = with_pod(of_group);
  without["/apis/scheduling.k8s.io"] = support::answer(404, refusal(404, "NotFound"));
  const auto absent = Cluster(without).load(needs);
  REQUIRE(absent.ok());
  REQUIRE(absent.value().coverage().find(Kind::PodGroup) != nullptr);
  CHECK(absent.value().coverage().find(Kind::PodGroup)->reason ==
        "the server does not serve podgroups");
}

TEST_CASE("the kubeconfig is read once") {
  const support::TempDir dir;
  Source source;
  source.flags.kubeconfig = dir.write("config",
                                      "apiVersion: v1\nkind: Config\ncurrent-context: c\n"
                                      "clusters: [{name: k, cluster: {server: 'http://h'}}]\n"
                                      "contexts: [{name: c, context: {cluster: k, namespace: "
                                      "ml}}]\n");
  CHECK(default_namespace(source).value() == "ml");
  dir.write("config", "not: [yaml");
  CHECK(default_namespace(source).value() == "ml");
  REQUIRE(source.connection().ok());
  CHECK(source.connection().value().namespace_ == "ml");
}

TEST_CASE("gates are asked for by whoever needs them, and may be refused") {
  const std::string gates =
      "kubernetes_feature_enabled{name=\"DRADeviceTaints\",stage=\"BETA\"} 0\n";
  const Cluster cluster(
      {{"/metrics", support::answer(200, gates, "Content-Type: text/plain\r\n")}});
  CHECK_FALSE(cluster.load({}).value().server().gates_known);
  CHECK(cluster.asked().empty());
  Source source = cluster.source();
  source.feature_gates = true;
  const auto told = load(source, {});
  CHECK(told.value().server().gates_known);
  CHECK(told.value().server().gates == session::FeatureGates{{"DRADeviceTaints", false}});
  CHECK(told.value().server().version == "v1.37.1");
  CHECK(cluster.asked() == Words{"/metrics"});

  const Cluster silent({{"/metrics", support::answer(403, refusal(403, "Forbidden"))}});
  source = silent.source();
  source.feature_gates = true;
  const auto refused = load(source, {});
  REQUIRE(refused.ok());
  CHECK_FALSE(refused.value().server().gates_known);
  CHECK(refused.value().server().gates.empty());
  CHECK_FALSE(refused.value().server().assumed);
  CHECK(refused.value().coverage().saw_all());
}

}  // namespace
}  // namespace dra::snapshot::load_live_test
