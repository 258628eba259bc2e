// src/render/annotations.cpp: a section for each format.

#include "dra/render/annotations.h"

#include <map>
#include <set>
#include <vector>

#include "dra/base/printable.h"
#include "dra/base/text.h"
#include "dra/render/structured.h"
#include "src/render/markup.h"

namespace dra::render {
namespace {

using json::Value;

std::string_view text_at(const Value& value, std::string_view key) {
  const Value* found = value.find(key);
  return found == nullptr ? std::string_view() : std::string_view(found->text());
}

// Of a Doctor report they are called problems, and are about objects instead of files.
const std::vector<Value>& findings_of(const Value& report) {
  static const std::vector<Value> none;
  const Value* findings = report.find("findings");
  if (findings == nullptr) findings = report.find("problems");
  return findings == nullptr ? none : findings->items();
}

// "Pod ml/train".
std::string object_of(const Value& finding) {
  const Value* subject = finding.find("subject");
  if (subject == nullptr) return std::string(text_at(finding, "object"));
  const std::string_view ns = text_at(*subject, "namespace");
  return base::format("{} {}{}{}", text_at(*subject, "kind"), ns, ns.empty() ? "" : "/",
                      text_at(*subject, "name"));
}

// "spec.nodeName: message", or the message without a path; then the remedy.
std::string message_of(const Value& finding) {
  const std::string_view path = text_at(finding, "path");
  const std::string_view fix =
      text_at(finding, finding.find("advice") == nullptr ? "fix" : "advice");
  std::string text = path.empty() ? std::string() : base::format("{}: ", path);
  text += text_at(finding, "message");
  if (!fix.empty()) text += base::format(" -> {}", fix);
  return text;
}

bool has_place(const Value& finding) {
  const std::string_view line = text_at(finding, "line");
  return !line.empty() && line != "0";
}

// --- SARIF

std::string_view sarif_level(std::string_view severity) {
  return severity == "hint" ? "note" : severity;
}

Value sarif_rules(const Value& report) {
  std::set<std::string_view> codes;
  for (const Value& finding : findings_of(report))
    codes.insert(text_at(finding, "code"));
  Value rules = Value::array();
  for (const std::string_view code : codes)
    rules.push(Value::object()).set("id", code);
  return rules;
}

// A relative reference: segments are escaped, and stay segments.
std::string uri_of(std::string_view file) {
  std::vector<std::string> segments;
  for (const std::string_view segment : base::split(file, '/'))
    segments.push_back(base::url_escape(segment));
  return base::join(segments, "/");
}

Value sarif_result(const Value& finding) {
  Value result = Value::object();
  result.set("ruleId", text_at(finding, "code"));
  result.set("level", sarif_level(text_at(finding, "severity")));
  result.set("message", Value::object()).set("text", message_of(finding));
  Value& location = result.set("locations", Value::array()).push(Value::object());
  if (finding.find("file") == nullptr) {
    location.set("logicalLocations", Value::array())
        .push(Value::object())
        .set("fullyQualifiedName", object_of(finding));
    return result;
  }
  Value& place = location.set("physicalLocation", Value::object());
  place.set("artifactLocation", Value::object()).set("uri", uri_of(text_at(finding, "file")));
  if (has_place(finding)) {
    Value& region = place.set("region", Value::object());
    region.set("startLine", *finding.find("line"));
    region.set("startColumn", *finding.find("column"));
  }
  return result;
}

// --- GitHub

std::string_view github_level(std::string_view severity) {
  return severity == "hint" ? "notice" : severity;
}

// Escapes the characters that a workflow command cannot hold; a property cannot hold more of them.
std::string github_escape(std::string_view text, bool property) {
  std::string out;
  for (const char c : base::printable_block(text)) {
    const bool special = c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','));
    if (special) {
      constexpr std::string_view digits = "0123456789ABCDEF";
      const auto byte = static_cast<unsigned char>(c);
      out += '%';
      out += digits[byte >> 4];
      out += digits[byte & 15];
    } else {
      out += c;
    }
  }
  return out;
}

// --- JUnit

std::string junit_case(const Value& finding) {
  const std::string_view code = text_at(finding, "code");
  const std::string name =
      finding.find("file") == nullptr
          ? std::string(code)
          : base::format("{}:{} {} {}", text_at(finding, "line"), text_at(finding, "column"), code,
                         text_at(finding, "path"));
  std::string text = base::format("    <testcase classname=\"{}\" name=\"{}\"",
                                  markup(object_of(finding)), markup(name));
  if (text_at(finding, "severity") == "hint") return text + "/>\n";
  return text + base::format(">\n      <failure type=\"{}\" message=\"{}\"/>\n    </testcase>\n",
                             markup(text_at(finding, "severity")), markup(message_of(finding)));
}

constexpr std::string_view kCluster = "cluster";

struct Suite {
  std::string cases;
  std::size_t tests = 0;
  std::size_t failures = 0;
};

}  // namespace

std::string to_sarif(const Value& report, std::string_view version) {
  Value log = Value::object();
  log.set("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
  log.set("version", "2.1.0");
  Value& run = log.set("runs", Value::array()).push(Value::object());
  Value& driver = run.set("tool", Value::object()).set("driver", Value::object());
  driver.set("name", "kubectl-dra");
  driver.set("version", version);
  driver.set("rules", sarif_rules(report));
  run.set("columnKind", "unicodeCodePoints");
  Value& results = run.set("results", Value::array());
  for (const Value& finding : findings_of(report))
    results.push(sarif_result(finding));
  return render_json(log);
}

std::string to_github(const Value& report) {
  std::string out;
  for (const Value& finding : findings_of(report)) {
    out += base::format("::{} ", github_level(text_at(finding, "severity")));
    if (finding.find("file") != nullptr)
      out += base::format("file={},", github_escape(text_at(finding, "file"), true));
    if (has_place(finding))
      out += base::format("line={},col={},", text_at(finding, "line"), text_at(finding, "column"));
    out += base::format("title={}::{}\n", github_escape(text_at(finding, "code"), true),
                        github_escape(message_of(finding), false));
  }
  return out;
}

std::string to_junit(const Value& report) {
  std::map<std::string_view, Suite> suites;
  for (const Value& finding : findings_of(report)) {
    const bool in_file = finding.find("file") != nullptr;
    Suite& suite = suites[in_file ? text_at(finding, "file") : kCluster];
    suite.cases += junit_case(finding);
    ++suite.tests;
    suite.failures += text_at(finding, "severity") == "hint" ? 0 : 1;
  }
  const bool doctor = text_at(report, "kind") == "Doctor";
  if (suites.empty())
    suites[doctor ? kCluster : "manifests"] = {"    <testcase name=\"nothing found\"/>\n", 1, 0};
  std::string out = base::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"kubectl-dra {}\">\n",
      doctor ? "doctor" : "validate");
  for (const auto& [file, suite] : suites) {
    out +=
        base::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\">\n{}  </testsuite>\n",
                     markup(file), suite.tests, suite.failures, suite.cases);
  }
  return out + "</testsuites>\n";
}

}  // namespace dra::render
