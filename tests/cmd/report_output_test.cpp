// tests/cmd/report_output_test.cpp: each report can be written in kubectl's formats, and names its
// matter in the title of a page.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "cmd/cli.h"
#include "cmd/report_output.h"
#include "tests/support/fake_console.h"
#include "tests/support/temp_dir.h"

namespace dra::cmd::report_output_test {
namespace {

using Words = std::vector<std::string>;

struct Outcome {
  ExitCode exit;
  std::string out;
  std::string err;
};

Outcome run(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  const support::FakeConsole console;
  const ExitCode exit = run_cli(words, console.streams());
  return {exit, console.out(), console.err()};
}

// Reports of the demo with GPUs, each with a field of its JSON.
struct Report {
  Words words;
  std::string path;  // a JSONPath
  std::string want;
  std::string column;  // of custom columns
};

const std::vector<Report>& reports() {
  static const std::vector<Report> all = {
      {{"doctor", "--demo=gpu"}, "{.problems[0].code}", "DeviceInUse", ".kind"},
      {{"overview", "--demo=gpu"}, "{.kind}", "Overview", ".kind"},
      {{"plan", "-A", "--demo=gpu"}, "{.kind}", "Plan", ".pod"},
      {{"topology", "--demo=gpu"}, "{.groups[0].levels[0].title}", "pcie", ".kind"},
      {{"explain", "-A", "--demo=gpu"}, "{.waiting}", "1", ".verdict"},
      {{"explain", "pod", "vllm-gpu-7b9f6c5d44-w8pjn", "--demo=gpu"},
       "{.verdict}",
       "DoesNotFit",
       ".verdict"},
      {{"explain", "node", "gke-gpu-a100-80gb-pool-c78060b4-cg6n", "--demo=gpu"},
       "{.kind}",
       "ReverseExplanation",
       ".kind"},
      {{"explain", "--code", "NodeTainted"}, "{.code}", "NodeTainted", ".code"},
      {{"eval", "true", "--demo=gpu"}, "{.compile.ok}", "true", ".kind"},
      {{"describe", "class", "gpu.nvidia.com", "--demo=gpu"},
       "{.subject.name}",
       "gpu.nvidia.com",
       ".kind"},
      {{"top", "--demo=gpu"}, "{.kind}", "Top", ".name"},
  };
  return all;
}

TEST_CASE("a report is written in each of kubectl's formats") {
  const support::TempDir dir;
  for (const Report& report : reports()) {
    CAPTURE(report.words);
    const Outcome path = run(report.words, {"-o", "jsonpath=" + report.path});
    CHECK(path.err == "");
    CHECK(path.out == report.want);
    const std::string file = dir.write("path", report.path);
    CHECK(run(report.words, {"-o", "jsonpath-file=" + file}).out == report.want);
    CHECK(run(report.words, {"-o", "jsonpath-as-json=" + report.path}).out.starts_with("[\n"));
    CHECK(run(report.words, {"-o", "jsonpath", "--template", report.path}).out == report.want);
    const Outcome kind = run(report.words, {"-o", "go-template={{.apiVersion}}"});
    CHECK(kind.out == "dra.kubectl/v1");
    CHECK(run(report.words, {"--template", "{{.apiVersion}}"}).out == "dra.kubectl/v1");
    const std::string columns = run(report.words, {"-o", "custom-columns=X:" + report.column}).out;
    CHECK(columns.starts_with("X\n"));
    CHECK(run(report.words, {"-o", "JSON"}).out.starts_with("{\n    \"apiVersion\""));
    CHECK(path.exit == run(report.words, {"-o", "json"}).exit);
  }
}

TEST_CASE("a key that is missing is an error if that is asked for") {
  for (const Report& report : reports()) {
    if (report.words[0] == "top") continue;
    CAPTURE(report.words);
    const Outcome lax = run(report.words, {"-o", "jsonpath={.nosuch}"});
    CHECK(lax.err == "");
    const Outcome strict =
        run(report.words, {"-o", "jsonpath={.nosuch}", "--allow-missing-template-keys=false"});
    CHECK(strict.exit == ExitCode::Failed);
    CHECK(strict.err.find("nosuch") != std::string::npos);
  }
}

TEST_CASE("formats that a report does not have are refused, with those that it has") {
  struct Row {
    Words words;
    std::string want;
  };
  const std::vector<Row> rows = {
      {{"plan", "--demo=gpu", "-o", "name"}, "error: --output cannot be \"name\": use custom-col"},
      {{"doctor", "--demo=gpu", "-o", "sariff"}, "did you mean sarif?"},
      {{"overview", "--demo=gpu", "-o", "svg"}, "error: --output cannot be \"svg\""},
      {{"topology", "--demo=gpu", "-o", "htm"}, "did you mean html?"},
      {{"explain", "-A", "--demo=gpu", "-o", "jsonpath"}, "--output=jsonpath needs a value"},
      {{"explain", "--code", "NodeTainted", "-o", "html"}, "--code cannot be used with"},
      {{"overview", "--demo=gpu", "-o", "html", "--template", "{{.}}"},
       "--template cannot be used with --output=html"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.words);
    const Outcome outcome = run(row.words, {});
    CAPTURE(outcome.err);
    CHECK(outcome.exit == ExitCode::Failed);
    CHECK(outcome.out == "");
    CHECK(outcome.err.find(row.want) != std::string::npos);
  }
}

std::string title_of(const std::string& page) {
  const std::size_t begin = page.find("<title>") + 7;
  return page.substr(begin, page.find("</title>", begin) - begin);
}

TEST_CASE("the title of a page is the matter, and not the command") {
  struct Row {
    Words words;
    std::string want;
  };
  const std::vector<Row> rows = {
      {{"plan", "-A", "--demo=gpu"}, "1 pod waits; it gets no node"},
      {{"plan", "-A", "--demo=gpu", "--remove-node", "gke-gpu-a100-80gb-pool-c78060b4-cg6n"},
       "If node gke-gpu-a100-80gb-pool-c78060b4-cg6n were gone: "},
      {{"explain", "-A", "--demo=gpu"}, "1 pod waits for devices, with one cause"},
      {{"explain", "pod", "vllm-gpu-7b9f6c5d44-w8pjn", "--demo=gpu"}, "All 4 GPUs are in use"},
      {{"topology", "--demo=gpu"}, "4 of 4 devices in use"},
      {{"topology", "--demo=mig"}, "1 of 2 devices in use"},
      {{"topology", "--demo=alignment"}, " in use"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.words);
    const std::string page = run(row.words, {"-o", "html"}).out;
    const std::string title = title_of(page);
    CHECK(title.find(row.want) != std::string::npos);
    CHECK_FALSE(title.starts_with("kubectl dra"));
    CHECK_FALSE(title.ends_with("."));
    CHECK(page.find("kubectl dra " + row.words.front()) != std::string::npos);
  }
}

TEST_CASE("the first line stands for a title, behind what is supposed") {
  view::Document document;
  document.add(view::Paragraph{.spans = {{"If a node "}, {"joined:"}}});
  document.add(view::Paragraph{.spans = {{"2 pods wait; 1 gets a node."}}});
  document.add(view::Paragraph{.spans = {{"More."}}});
  CHECK(title_of_page(document) == "If a node joined: 2 pods wait; 1 gets a node");
  document.title = "the matter";
  CHECK(title_of_page(document) == "the matter");
  CHECK(title_of_page({}) == "");
}

}  // namespace
}  // namespace dra::cmd::report_output_test
