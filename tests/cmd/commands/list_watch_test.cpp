// tests/cmd/commands/list_watch_test.cpp: rows that change because of other objects, and what
// cannot be watched. What kubectl prints of the same events is compared in tests/cluster/agree.

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "cmd/cli.h"
#include "dra/base/text.h"
#include "tests/support/fake_console.h"
#include "tests/support/scripted_server.h"
#include "tests/support/temp_dir.h"

namespace dra::cmd::list_watch_test {
namespace {

using support::ScriptedAnswer;
using support::ScriptedRequest;
using support::ScriptedServer;
using Words = std::vector<std::string>;

const std::string kSlice =
    R"({"kind":"ResourceSlice","metadata":{"name":"s","resourceVersion":"3"},"spec":)"
    R"({"driver":"d.example.com","nodeName":"n1","pool":{"name":"n1","generation":1,)"
    R"("resourceSliceCount":1},"devices":[{"name":"gpu-0"},{"name":"gpu-1"}]}})";
const std::string kNode = R"({"kind":"Node","metadata":{"name":"n1","resourceVersion":"2"}})";
const std::string kClass =
    R"({"kind":"DeviceClass","metadata":{"name":"all","resourceVersion":"4"},"spec":{}})";
const std::string kTaken =
    R"({"kind":"ResourceClaim","metadata":{"name":"c","namespace":"ml","resourceVersion":"11"},)"
    R"("spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"all"}}]}},)"
    R"("status":{"allocation":{"devices":{"results":[{"request":"r","driver":"d.example.com",)"
    R"("pool":"n1","device":"gpu-0"}]}}}})";

std::string event(const std::string& type, const std::string& object) {
  return base::format(R"({{"type":"{}","object":{}}})", type, object) + "\n";
}

// A server whose watches send these events once, by resource, and then end.
class Cluster {
 public:
  explicit Cluster(std::map<std::string, std::string> events)
      : events_(std::move(events)),
        server_([this](const ScriptedRequest& request) { return answer_to(request); }) {}

  struct Outcome {
    ExitCode exit;
    std::string out;
    std::string err;
  };

  // Of a command that ends after a second.
  Outcome run(Words words, const support::FakeConsole::Options& options = {}) const {
    const support::TempDir dir;
    words.insert(words.end(),
                 {"--kubeconfig", dir.write("config", "apiVersion: v1\nkind: Config\n"), "--server",
                  base::format("http://127.0.0.1:{}", server_.port()), "--request-timeout=1s"});
    const support::FakeConsole console(options);
    const ExitCode exit = run_cli(words, console.streams());
    return {exit, console.out(), console.err()};
  }

 private:
  ScriptedAnswer answer_to(const ScriptedRequest& request) {
    const std::string path = request.target.substr(0, request.target.find('?'));
    const std::string resource = path.substr(path.rfind('/') + 1);
    if (path == "/version") return support::answer(200, R"({"gitVersion":"v1.37.1"})");
    if (path == "/apis/resource.k8s.io")
      return support::answer(200, R"({"kind":"APIGroup","versions":[{"version":"v1"}]})");
    if (path == "/apis/resource.k8s.io/v1")
      return support::answer(200, R"({"kind":"APIResourceList","resources":[]})");
    if (request.target.find("watch=1") == std::string::npos) return list_of(resource);
    const std::lock_guard lock(mutex_);
    return support::answer(200, std::exchange(events_[resource], {}));
  }

  static ScriptedAnswer list_of(const std::string& resource) {
    const std::map<std::string, std::string> items = {
        {"resourceslices", kSlice}, {"nodes", kNode}, {"deviceclasses", kClass}};
    const auto found = items.find(resource);
    return support::answer(
        200, base::format(R"({{"kind":"List","metadata":{{"resourceVersion":"10"}},"items":[{}]}})",
                          found == items.end() ? std::string() : found->second));
  }

  std::mutex mutex_;
  std::map<std::string, std::string> events_;
  ScriptedServer server_;
};

std::string first_words(const std::string& text, std::size_t count) {
  std::string out;
  for (const std::string_view line : base::split(text, '\n')) {
    std::size_t taken = 0;
    for (const std::string_view word : base::split(line, ' ')) {
      if (word.empty() || taken == count) continue;
      out += base::format("{}{}", taken++ == 0 ? "" : " ", word);
    }
    out += taken > 0 ? "\n" : "";
  }
  return out;
}

TEST_CASE("a device that is taken is printed again, and no other one") {
  const Cluster cluster({{"resourceclaims", event("ADDED", kTaken)}});
  const auto devices = cluster.run({"devices", "-w", "-o", "name", "--output-watch-events"});
  CHECK(devices.exit == ExitCode::Done);
  CHECK(devices.err == "");
  CHECK(devices.out ==
        "device/d.example.com/n1/gpu-0\ndevice/d.example.com/n1/gpu-1\n"
        "device/d.example.com/n1/gpu-0\n");
}

TEST_CASE("rows of classes, slices, nodes, pools and drivers change with the claims") {
  for (const std::string list : {"classes", "slices", "nodes", "pools", "drivers"}) {
    CAPTURE(list);
    const Cluster cluster({{"resourceclaims", event("ADDED", kTaken)}});
    const auto outcome = cluster.run({list, "-w", "--output-watch-events", "--no-headers"});
    CHECK(outcome.exit == ExitCode::Done);
    CHECK(outcome.err == "");
    const std::string words = first_words(outcome.out, 1);
    CHECK(words == "ADDED\nMODIFIED\n");
  }
  const Cluster cluster({{"resourceclaims", event("ADDED", kTaken)}});
  const auto only = cluster.run({"devices", "--watch-only"});
  CHECK(only.exit == ExitCode::Done);
  CHECK(first_words(only.out, 2).find("gpu-1") == std::string::npos);
  CHECK(only.out.find("in use") != std::string::npos);
}

TEST_CASE("a change that no row shows prints nothing") {
  std::string labelled = kNode;
  labelled.replace(labelled.find(R"("2")"), 3, R"("12","labels":{"a":"b"})");
  const Cluster cluster({{"nodes", event("MODIFIED", labelled)}});
  const auto outcome = cluster.run({"devices", "-w", "--no-headers"});
  CHECK(first_words(outcome.out, 1) == "d.example.com\nd.example.com\n");
}

TEST_CASE("an event that brings nothing new is not printed") {
  const Cluster cluster({{"deviceclasses", event("ADDED", kClass)}});
  const auto outcome = cluster.run({"classes", "-w", "-o", "name"});
  CHECK(outcome.out == "deviceclass.resource.k8s.io/all\n");
}

TEST_CASE("columns of one's own have titles once, and become no narrower") {
  const Cluster cluster({{"deviceclasses", event("MODIFIED", R"({"kind":"DeviceClass",)"
                                                             R"("metadata":{"name":"all",)"
                                                             R"("resourceVersion":"12","labels":)"
                                                             R"({"app":"a"}}})")}});
  const auto objects =
      cluster.run({"classes", "-w", "-o", "custom-columns=APP:.metadata.labels.app,N:.kind"});
  CHECK(objects.err == "");
  CHECK(objects.out ==
        "APP      N\n"
        "<none>   DeviceClass\n"
        "a        DeviceClass\n");
  const Cluster taken({{"resourceclaims", event("ADDED", kTaken)}});
  const auto devices = taken.run(
      {"devices", "-w", "-o", "custom-columns=STATE:.state,NAME:.device", "--no-headers"});
  CHECK(devices.out ==
        "free   gpu-0\n"
        "free   gpu-1\n"
        "allocated   gpu-0\n");
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

TEST_CASE("a report is printed again when it says something else, below the time") {
  for (const Words& words : std::vector<Words>{{"overview"}, {"top"}, {"topology"}}) {
    CAPTURE(words.front());
    const Cluster cluster({{"resourceclaims", event("ADDED", kTaken)}});
    Words watched = words;
    watched.emplace_back("-w");
    const auto outcome = cluster.run(watched);
    CHECK(outcome.exit == ExitCode::Done);
    CHECK(outcome.err == "");
    CHECK(count_of(outcome.out, "\n\n2026-11-20T09:30:00Z\n") == 1);
    CHECK(count_of(outcome.out, "\x1b") == 0);
    watched.back() = "--watch-only";
    const Cluster again({{"resourceclaims", event("ADDED", kTaken)}});
    const std::string only = again.run(watched).out;
    CHECK(only.starts_with("\n2026-11-20T09:30:00Z\n"));
    CHECK(count_of(only, "2026-11-20T09:30:00Z") == 1);
  }
}

TEST_CASE("a report that says the same is not printed again") {
  std::string labelled = kNode;
  labelled.replace(labelled.find(R"("2")"), 3, R"("12","labels":{"a":"b"})");
  const Cluster cluster({{"nodes", event("MODIFIED", labelled)}});
  const auto outcome = cluster.run({"top", "-w"});
  CHECK(count_of(outcome.out, "2026-11-20T09:30:00Z") == 0);
}

TEST_CASE("reports for programs follow one another") {
  const Cluster cluster({{"resourceclaims", event("ADDED", kTaken)}});
  const auto json = cluster.run({"top", "-w", "-o", "json"});
  CHECK(json.err == "");
  CHECK(count_of(json.out, R"("kind": "Top")") == 2);
  CHECK(count_of(json.out, "2026-11-20T09:30:00Z") == 0);
  const Cluster again({{"resourceclaims", event("ADDED", kTaken)}});
  const auto yaml = again.run({"topology", "-w", "-o", "yaml"});
  CHECK(count_of(yaml.out, "kind: Topology") == 2);
  CHECK(count_of(yaml.out, "---\n") == 1);
}

TEST_CASE("on a terminal a report is drawn in place, with the time above it") {
  const Cluster cluster({{"resourceclaims", event("ADDED", kTaken)}});
  const auto outcome = cluster.run({"top", "-w"}, {.terminal = true});
  CHECK(outcome.exit == ExitCode::Done);
  const std::string begin = "\x1b[?7l\x1b[H2026-11-20T09:30:00Z\x1b[K\n";
  CHECK(count_of(outcome.out, begin) == 2);
  CHECK(count_of(outcome.out, "\x1b[J\x1b[?7h") == 2);
  CHECK(outcome.out.starts_with(std::string(23, '\n') + begin));
}

TEST_CASE("what cannot be watched is refused, with a reason") {
  struct Row {
    Words words;
    std::string want;
  };
  const std::vector<Row> rows = {
      {{"claims", "--demo", "-w"},
       "error: --watch cannot be used with --demo: what is in a file does not change\n"},
      {{"devices", "--snapshot", "x.yaml", "--watch-only"},
       "error: --watch-only cannot be used with --snapshot: what is in a file does not change\n"},
      {{"claims", "--output-watch-events"},
       "error: --output-watch-events option can only be used with --watch or --watch-only\n"},
      {{"top", "--demo", "-w"},
       "error: --watch cannot be used with --demo: what is in a file does not change\n"},
      {{"overview", "-w", "-o", "html"}, "error: --watch cannot be used with --output=html\n"},
      {{"top", "--watch-only", "-o", "openmetrics"},
       "error: --watch-only cannot be used with --output=openmetrics\n"},
      {{"top", "nodes", "n9", "-w"}, "error: node \"n9\" not found\n"},
      {{"topology", "node", "n9", "-w"}, "error: node \"n9\" not found\n"},
      {{"explain", "pod", "p", "--demo", "-w"},
       "error: --watch cannot be used with --demo: what is in a file does not change\n"},
      {{"explain", "pod", "p", "--timeout=1s"}, "error: --timeout is for --wait-for\n"},
      {{"explain", "claim", "c", "--wait-for=running"}, "error: --wait-for=running is for a pod\n"},
      {{"explain", "pod", "p", "-w", "--set", "count=1"},
       "error: --watch, --wait-for and --timeout are for a pod or claims as they are\n"},
      {{"explain", "--pending", "-w"},
       "error: --watch, --wait-for and --timeout are for a pod or claims as they are\n"},
      {{"explain", "pod", "p", "-w", "-o", "html"},
       "error: --watch cannot be used with --output=html\n"},
      {{"explain", "pod", "p", "--wait-for=fits", "--timeout=-1s"},
       "error: --timeout cannot be negative\n"},
  };
  const Cluster cluster({});
  for (const Row& row : rows) {
    CAPTURE(row.want);
    const bool file = std::ranges::find(row.words, "--demo") != row.words.end() ||
                      std::ranges::find(row.words, "--snapshot") != row.words.end();
    std::string err;
    ExitCode exit = ExitCode::Done;
    if (file) {
      const support::FakeConsole console;
      exit = run_cli(row.words, console.streams());
      err = console.err();
    } else {
      const auto outcome = cluster.run(row.words);
      exit = outcome.exit;
      err = outcome.err;
    }
    CHECK(exit == ExitCode::Failed);
    CHECK(err.starts_with(row.want));
  }
  CHECK(cluster.run({"get", "claims,slices", "-w"})
            .err.starts_with("error: you may only specify a single resource type\n"));
}

}  // namespace
}  // namespace dra::cmd::list_watch_test
