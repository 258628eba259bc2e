// tests/cmd/commands/list_live_test.cpp: what a list asks of a server, and what it says of
// refusals.

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "cmd/cli.h"
#include "dra/base/text.h"
#include "tests/support/fake_console.h"
#include "tests/support/scripted_server.h"
#include "tests/support/temp_dir.h"

namespace dra::cmd::list_live_test {
namespace {

using support::ScriptedAnswer;
using support::ScriptedRequest;
using support::ScriptedServer;
using Words = std::vector<std::string>;

const std::string kBase = "/apis/resource.k8s.io/v1";
const std::string kClaims = kBase + "/namespaces/default/resourceclaims";

ScriptedAnswer status(int code, const std::string& reason, const std::string& message) {
  return support::answer(
      code, base::format(R"({{"kind":"Status","apiVersion":"v1","status":"Failure","message":"{}",)"
                         R"("reason":"{}","details":{{"name":"x"}},"code":{}}})",
                         message, reason, code));
}

ScriptedAnswer discovery(const ScriptedRequest& request) {
  if (request.target == "/version") return support::answer(200, R"({"gitVersion":"v1.37.1"})");
  if (request.target == "/apis/resource.k8s.io") {
    return support::answer(200, R"({"kind":"APIGroup","versions":[{"version":"v1"}]})");
  }
  if (request.target == kBase) {
    return support::answer(200, R"({"kind":"APIResourceList","resources":[]})");
  }
  return status(404, "NotFound", "not found");
}

// A run against a server that answers by path and query.
struct Run {
  ExitCode exit;
  std::string out;
  std::string err;
  Words asked;  // without discovery

  Run(Words words, const std::map<std::string, ScriptedAnswer>& answers) {
    const support::TempDir dir;
    const ScriptedServer server([&answers](const ScriptedRequest& request) {
      const auto found = answers.find(request.target);
      return found == answers.end() ? discovery(request) : found->second;
    });
    words.insert(words.end(),
                 {"--kubeconfig", dir.write("config", "apiVersion: v1\nkind: Config\n"), "--server",
                  base::format("http://127.0.0.1:{}", server.port())});
    const support::FakeConsole console;
    exit = run_cli(words, console.streams());
    out = console.out();
    err = console.err();
    for (const ScriptedRequest& request : server.requests()) {
      const bool is_discovery = request.target == "/version" ||
                                request.target == "/apis/resource.k8s.io" ||
                                request.target == kBase;
      if (!is_discovery) asked.push_back(request.target);
    }
  }
};

ScriptedAnswer claim(const std::string& name) {
  return support::answer(200, R"({"metadata":{"name":")" + name + R"(","namespace":"default"}})");
}

ScriptedAnswer list_of(const std::string& items) {
  return support::answer(200, R"({"kind":"List","metadata":{},"items":[)" + items + "]}");
}

TEST_CASE("JSON takes no more than the objects themselves") {
  const Run named({"claims", "a", "-o", "json"}, {{kClaims + "/a", claim("a")}});
  CHECK(named.exit == ExitCode::Done);
  CHECK(named.asked == Words{kClaims + "/a"});
  const Run listed(
      {"get", "claims", "-o", "name", "-l", "a=b", "--field-selector", "metadata.name!=x",
       "--chunk-size=7"},
      {{kClaims + "?fieldSelector=metadata.name%21%3Dx&labelSelector=a%3Db&limit=7", list_of("")}});
  CHECK(listed.exit == ExitCode::Done);
  CHECK(listed.asked.size() == 1);
}

TEST_CASE("--raw prints what a path answers, byte for byte") {
  const std::string text = "a_metric{} 1\n\x1b[31m no JSON";
  const Run raw({"get", "--raw", "/metrics?a=b%20c"},
                {{"/metrics?a=b%20c", support::answer(200, text)}});
  CHECK(raw.exit == ExitCode::Done);
  CHECK(raw.out == text);
  CHECK(raw.asked == Words{"/metrics?a=b%20c"});
  const Run none({"get", "--raw", "/none"}, {});
  CHECK(none.exit == ExitCode::Failed);
  CHECK(none.out.empty());
  CHECK(none.err.starts_with("Error from server (NotFound): "));
  for (const char* path : {"none", "/a b", "/a\nb", "/\x7f"}) {
    const Run wrong({"get", "--raw", path}, {});
    CHECK(wrong.exit == ExitCode::Failed);
    CHECK(wrong.asked.empty());
    CHECK(wrong.err.starts_with("error: --raw must be a valid URL path"));
  }
}

TEST_CASE("-f asks for each object by its name, in its namespace") {
  const support::TempDir dir;
  const std::string file =
      dir.write("claims.json", R"({"kind":"List","apiVersion":"v1","items":[)"
                               R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim",)"
                               R"("metadata":{"name":"a","namespace":"ml"}},)"
                               R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim",)"
                               R"("metadata":{"name":"a"}}]})");
  const std::string other = kBase + "/namespaces/ml/resourceclaims/a";
  const std::map<std::string, ScriptedAnswer> answers = {
      {kClaims + "/a", claim("a")},
      {other, support::answer(200, R"({"metadata":{"name":"a","namespace":"ml"}})")}};
  const Run both({"get", "-f", file, "-o", "jsonpath={.items[*].metadata.namespace}"}, answers);
  CHECK(both.exit == ExitCode::Done);
  CHECK(both.out == "ml default");
  CHECK(both.asked == Words{other, kClaims + "/a"});
  const Run some({"get", "-f", file, "-o", "name"}, {{kClaims + "/a", claim("a")}});
  CHECK(some.exit == ExitCode::Failed);
  CHECK(some.out.empty());  // as of kubectl, where one of the objects of one file is missing
}

// The first page of a list of claims, which names a second one.
ScriptedAnswer first_page(const std::string& items) {
  return support::answer(
      200, R"({"kind":"ResourceClaimList","apiVersion":"resource.k8s.io/v1","metadata":)"
           R"({"resourceVersion":"7","continue":"t"},"items":[)" +
               items + "]}");
}

const std::string kClaimA = R"({"metadata":{"name":"a","managedFields":[{"manager":"m"}]}})";
const std::string kClaimB = R"({"metadata":{"name":"b"}})";

TEST_CASE("a whole list is printed page by page, as one List") {
  const std::map<std::string, ScriptedAnswer> pages = {
      {kClaims + "?limit=500", first_page(kClaimA)},
      {kClaims + "?limit=500&continue=t", list_of(kClaimB)}};
  for (const char* format : {"json", "yaml"}) {
    CAPTURE(format);
    const Run paged({"claims", "-o", format}, pages);
    const Run whole({"claims", "-o", format},
                    {{kClaims + "?limit=500", list_of(kClaimA + "," + kClaimB)}});
    CHECK(paged.exit == ExitCode::Done);
    CHECK(paged.out == whole.out);
    CHECK(paged.out.find("managedFields") == std::string::npos);
    // A list that is sorted is made as a whole.
    const Run sorted({"claims", "-o", format, "--sort-by", ".metadata.name"},
                     {{kClaims, list_of(kClaimA + "," + kClaimB)}});
    CHECK(sorted.out == whole.out);
    const Run empty({"claims", "-o", format}, {{kClaims + "?limit=500", list_of("")}});
    const Run none({"claims", "-o", format, "--sort-by", ".metadata.name"},
                   {{kClaims, list_of("")}});
    CHECK(empty.out == none.out);
  }
}

TEST_CASE("a list that the server forgets after its first page is an error") {
  const Run run({"claims", "-o", "yaml"},
                {{kClaims + "?limit=500", first_page(kClaimA)},
                 {kClaims + "?limit=500&continue=t", status(410, "Expired", "too old")},
                 {kClaims, list_of(kClaimA + "," + kClaimB)}});
  CHECK(run.exit == ExitCode::Failed);
  CHECK(run.out.find("name: b") == std::string::npos);
  CHECK(run.err.find(
            "the server has forgotten the list before its end\nhint: run the command again") !=
        std::string::npos);
}

TEST_CASE("what a list cannot be read for is an error as before") {
  const Run denied({"claims", "-o", "json"},
                   {{kClaims + "?limit=500", status(403, "Forbidden", "you may not")}});
  CHECK(denied.exit == ExitCode::Failed);
  CHECK(denied.out.empty());
  CHECK(denied.err.starts_with("Error from server (Forbidden): you may not\n"));
}

TEST_CASE("what is to be sorted is asked for as a whole") {
  const Run run({"claims", "-o", "name", "--sort-by", ".metadata.name"},
                {{kClaims, list_of(R"({"metadata":{"name":"b","namespace":"default"}},)"
                                   R"({"metadata":{"name":"a","namespace":"default"}})")}});
  CHECK(run.asked == Words{kClaims});
  CHECK(run.out == "resourceclaim.resource.k8s.io/a\nresourceclaim.resource.k8s.io/b\n");
}

TEST_CASE("a named claim and the classes make the table") {
  const Run run({"claim/a"},
                {{kClaims + "/a", claim("a")}, {kBase + "/deviceclasses?limit=500", list_of("")}});
  CHECK(run.exit == ExitCode::Done);
  CHECK(run.asked == Words{kBase + "/deviceclasses?limit=500", kClaims + "/a"});
}

TEST_CASE("who may get but not list sees the slice, and that more is not known") {
  const auto no = status(403, "Forbidden", "no");
  const Run run({"slices", "s"},
                {{kBase + "/resourceslices?limit=500", no},
                 {kBase + "/resourceclaims?limit=500", list_of("")},
                 {"/api/v1/nodes?limit=500", no},
                 {kBase + "/resourceslices/s",
                  support::answer(200, R"({"metadata":{"name":"s"},"spec":{"driver":"d",)"
                                       R"("nodeName":"n","pool":{"name":"p","generation":1,)"
                                       R"("resourceSliceCount":2}}})")}});
  CHECK(run.exit == ExitCode::Done);
  CHECK(run.out.find("<unknown>") != std::string::npos);
  CHECK(run.err ==
        "warning: resourceslices cannot be read (forbidden to list resourceslices): answers are "
        "incomplete\n");
}

TEST_CASE("each name that was not given is an error, in the server's words") {
  const Run run({"claims", "a", "b", "c", "-o", "name"},
                {{kClaims + "/a", claim("a")},
                 {kClaims + "/b", status(404, "NotFound", "claim b not found")},
                 {kClaims + "/c", status(403, "Forbidden", "you may not")}});
  CHECK(run.exit == ExitCode::Failed);
  CHECK(run.out == "resourceclaim.resource.k8s.io/a\n");
  const auto at = run.err.find(": claim b not found\n");
  CHECK(at != std::string::npos);
  CHECK(run.err.find(": you may not\n", at) != std::string::npos);
}

TEST_CASE("what is missing is told also where the rest cannot be sorted") {
  const Run run({"claims", "a", "b", "c", "-o", "name", "--sort-by", ".spec.none"},
                {{kClaims + "/a", claim("a")},
                 {kClaims + "/b", claim("b")},
                 {kClaims + "/c", status(404, "NotFound", "claim c not found")}});
  CHECK(run.exit == ExitCode::Failed);
  CHECK(run.out.empty());
  const auto at = run.err.find(": claim c not found\n");
  CHECK(at != std::string::npos);
  CHECK(run.err.find("couldn't find any field with path \"{.spec.none}\"", at) !=
        std::string::npos);
}

TEST_CASE("what does not exist may be ignored, what is forbidden not") {
  const Run run({"claims", "b", "c", "--ignore-not-found", "-o", "json"},
                {{kClaims + "/b", status(404, "NotFound", "claim b not found")},
                 {kClaims + "/c", status(403, "Forbidden", "you may not")}});
  CHECK(run.exit == ExitCode::Failed);
  CHECK(run.out.empty());
  CHECK(run.err.find("claim b") == std::string::npos);
  CHECK(run.err.find(": you may not\n") != std::string::npos);
}

// For the table all slices are read, whatever is selected of them.
TEST_CASE("a field that no server knows is refused in a server's words") {
  const Run run({"slices", "-l", "a in (b)", "--field-selector", "spec.no!=x"},
                {{kBase + "/resourceslices?limit=500", list_of("")},
                 {kBase + "/resourceclaims?limit=500", list_of("")},
                 {"/api/v1/nodes?limit=500", list_of("")}});
  CHECK(run.exit == ExitCode::Failed);
  CHECK(run.out.empty());
  const std::string want =
      "Error from server (BadRequest): Unable to find \"resource.k8s.io/v1, "
      "Resource=resourceslices\" that match label selector \"a in (b)\", field selector "
      "\"spec.no!=x\": field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: "
      "spec.no\n";
  CHECK(run.err.substr(0, want.size()) == want);
}

TEST_CASE("a name that would lead elsewhere is asked of nobody") {
  for (const char* name : {"..", ".", "a/b", "a%2fb"}) {
    const Run run({"claims", name}, {});
    CHECK(run.exit == ExitCode::Failed);
    CHECK(run.asked.empty());
  }
  const Run run({"claims", "-n", ".."}, {});
  CHECK(run.exit == ExitCode::Failed);
  CHECK(run.asked.empty());
}

TEST_CASE("diff asks a server for the events that a recording has, or none would seem to be left") {
  const Run run({"diff", "tests/golden/diff/before.yaml"}, {});
  CHECK(std::ranges::any_of(run.asked, [](const std::string& target) {
    return target.starts_with("/api/v1/events?fieldSelector=type%3DWarning");
  }));
}

}  // namespace
}  // namespace dra::cmd::list_live_test
