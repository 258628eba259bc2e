// tests/cmd/commands/explain/explain_wait_test.cpp: what `explain --wait-for` prints when it is
// over. That it waits is shown by tests/cluster/agree.

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "cmd/cli.h"
#include "dra/base/text.h"
#include "tests/support/fake_console.h"
#include "tests/support/scripted_server.h"
#include "tests/support/temp_dir.h"

namespace dra::cmd::explain_wait_test {
namespace {

const std::string kClaim =
    R"({"kind":"ResourceClaim","metadata":{"name":"cards","namespace":"lab","uid":"u1",)"
    R"("resourceVersion":"11"},"spec":{"devices":{"requests":[{"name":"r","exactly":)"
    R"({"deviceClassName":"all"}}]}},"status":{"allocation":{"devices":{"results":[)"
    R"({"request":"r","driver":"d.example.com","pool":"n1","device":"card-0"}]}},)"
    R"("reservedFor":[{"resource":"pods","name":"study","uid":"u2"}]}})";
const std::string kPod =
    R"({"kind":"Pod","metadata":{"name":"study","namespace":"lab","uid":"u2","resourceVersion":)"
    R"("12","creationTimestamp":"2026-11-20T08:30:00Z"},"spec":{"nodeName":"n1","containers":)"
    R"([{"name":"c","image":"i"}],"resourceClaims":[{"name":"r","resourceClaimName":"cards"}]},)"
    R"("status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}})";

support::ScriptedAnswer answer_to(const support::ScriptedRequest& request) {
  const std::string path = request.target.substr(0, request.target.find('?'));
  const std::string resource = path.substr(path.rfind('/') + 1);
  if (path == "/version") return support::answer(200, R"({"gitVersion":"v1.37.1"})");
  if (path == "/apis/resource.k8s.io")
    return support::answer(200, R"({"kind":"APIGroup","versions":[{"version":"v1"}]})");
  if (path == "/apis/resource.k8s.io/v1")
    return support::answer(200, R"({"kind":"APIResourceList","resources":[]})");
  if (request.target.find("watch=1") != std::string::npos) return support::answer(200, "");
  const std::map<std::string, std::string> items = {{"resourceclaims", kClaim}, {"pods", kPod}};
  const auto found = items.find(resource);
  return support::answer(
      200, base::format(R"({{"kind":"List","metadata":{{"resourceVersion":"10"}},"items":[{}]}})",
                        found == items.end() ? std::string() : found->second));
}

std::string wait(std::vector<std::string> words) {
  support::ScriptedServer server(answer_to);
  const support::TempDir dir;
  words.insert(words.begin(), "explain");
  words.insert(
      words.end(),
      {"-n", "lab", "--kubeconfig", dir.write("config", "apiVersion: v1\nkind: Config\n"),
       "--server", base::format("http://127.0.0.1:{}", server.port()), "--request-timeout=1s"});
  const support::FakeConsole console;
  CHECK(run_cli(words, console.streams()) == ExitCode::Done);
  return console.out();
}

TEST_CASE("the end of a wait is in the format that is asked for") {
  CHECK(wait({"pod", "study", "--wait-for=running", "-o", "jsonpath={.kind} {.subject.name}"}) ==
        "Explanation study");
  CHECK(wait({"claim", "cards", "--wait-for=allocated", "-o", "yaml"})
            .starts_with("apiVersion: dra.kubectl/v1\nkind: Explanation\n"));
  CHECK(wait({"pod", "study", "--wait-for=fits", "-o", "json"}).starts_with("{\n"));
}

TEST_CASE("and as text it names the condition that was waited for") {
  for (const std::string condition : {"running", "scheduled", "allocated", "fits"}) {
    const std::string out = wait({"pod", "study", "--wait-for=" + condition});
    CHECK(out.starts_with("2026-11-20T09:30:00Z  Pod lab/study: Running "));
    CHECK(out.ends_with(" Condition met: " + condition + ".\n"));
  }
}

}  // namespace
}  // namespace dra::cmd::explain_wait_test
