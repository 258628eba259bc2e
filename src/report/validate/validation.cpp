// src/report/validate/validation.cpp: presents the findings of `kubectl dra validate` with the
// lines of the files, as JSON and as text.

#include "dra/report/validate/validation.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "dra/base/printable.h"
#include "dra/base/text.h"
#include "dra/report/phrases/envelope.h"
#include "dra/report/phrases/words.h"
#include "src/report/validate/token.h"

namespace dra::report {
namespace {

using answers::DryRun;
using answers::FileFinding;
using answers::FileRequest;
using answers::ServerSays;
using answers::Validation;
using checks::ManifestFinding;
using checks::Phase;
using checks::Severity;

std::string_view word_of(ServerSays says) {
  switch (says) {
    case ServerSays::Same:
      return "same";
    case ServerSays::Nothing:
      return "nothing";
    case ServerSays::Only:
      return "only";
  }
  return "";
}

json::Value finding_json(const FileFinding& entry) {
  const ManifestFinding& finding = entry.finding;
  json::Value value = json::Value::object();
  value.set("file", entry.file);
  value.set("line", finding.position.line);
  value.set("column", finding.position.column);
  value.set("object", entry.object);
  value.set("path", finding.path);
  value.set("severity", name_of(finding.severity));
  value.set("code", finding.code);
  value.set("phase", name_of(finding.phase));
  if (finding.severity == Severity::Error) value.set("type", finding.code);
  value.set("message", finding.message);
  if (!finding.fix.empty()) value.set("fix", finding.fix);
  if (entry.server) value.set("server", word_of(*entry.server));
  return value;
}

// A note after the name of the object.
std::string_view words_of(std::optional<ServerSays> server) {
  if (server == ServerSays::Only) return "  only the server says so";
  return server == ServerSays::Nothing ? "  the server does not say so" : "";
}

// As the line is printed.
std::size_t cells_of(std::string_view text) { return base::width(base::printable(text)); }

// The line of the file, with the key or value underlined.
view::Verbatim source_of(const FileFinding& entry) {
  const std::string number = std::to_string(entry.finding.position.line);
  const std::size_t position = std::max<std::size_t>(entry.finding.position.column, 1) - 1;
  const std::size_t column = position - std::min(position, entry.cut);
  std::string line = entry.source;
  std::ranges::replace(line, '\t', ' ');
  view::Verbatim block{.lines = {}, .indent = 2};
  block.lines.push_back({{number + " | ", view::Tone::Dim}, {line}});
  const std::string_view rest = std::string_view(line).substr(std::min(column, line.size()));
  const std::size_t size =
      entry.finding.text.empty() ? yaml_token_size(line, column) : cel_token_size(line, column);
  const std::size_t cells = std::max<std::size_t>(cells_of(rest.substr(0, size)), 1);
  block.lines.push_back({{std::string(number.size(), ' ') + " | ", view::Tone::Dim},
                         {std::string(cells_of(std::string_view(line).substr(0, column)), ' ') +
                              std::string(cells, '^'),
                          tone_of(entry.finding.severity)}});
  return block;
}

std::string file_place(const FileFinding& entry) {
  const json::Position position = entry.finding.position;
  if (position.line == 0) return entry.file;
  return base::format("{}:{}:{}", entry.file, position.line, position.column);
}

// The proposed text, as it has to be in the file.
view::Verbatim yaml_of(const std::string& fix) {
  view::Verbatim block{.lines = {}, .indent = 2};
  for (const std::string_view line : base::split(fix, '\n'))
    block.lines.push_back(
        {{block.lines.empty() ? "-> " : "   ", view::Tone::Strong}, {std::string(line)}});
  return block;
}

// Hints that differ only in their place, in the order of the first of each kind. Errors and
// warnings stand each for itself, as each has to be repaired.
std::vector<std::vector<const FileFinding*>> groups_of(const std::vector<FileFinding>& findings) {
  std::vector<std::vector<const FileFinding*>> groups;
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, std::size_t> known;
  for (const FileFinding& entry : findings) {
    const ManifestFinding& finding = entry.finding;
    const bool alone = finding.severity != Severity::Hint;
    const auto [group, is_new] =
        alone ? std::pair(known.end(), true)
              : known.try_emplace({finding.code, finding.message, finding.fix}, groups.size());
    if (is_new) groups.emplace_back();
    (alone ? groups.back() : groups[group->second]).push_back(&entry);
  }
  return groups;
}

// Where else the same is; `group` has the finding itself in front.
std::string other_places(const std::vector<const FileFinding*>& group) {
  constexpr std::size_t named = 3;
  std::vector<std::string> places;
  for (std::size_t i = 1; i < group.size(); ++i)
    places.push_back(file_place(*group[i]));
  const std::string text = base::format("the same at {}", base::join_first(places, named));
  return places.size() > named ? text + " (-o json lists all)" : text;
}

void add_finding(const std::vector<const FileFinding*>& group, view::Document& document) {
  const FileFinding& entry = *group.front();
  const ManifestFinding& finding = entry.finding;
  const view::Tone tone = tone_of(finding.severity);
  document.add(view::Paragraph{
      .spans = {{file_place(entry) + ": ", view::Tone::Strong},
                {base::format("{} {}", name_of(finding.severity), finding.code), tone},
                {entry.object.empty() ? std::string() : base::format("  {}", entry.object),
                 view::Tone::Dim},
                {std::string(words_of(entry.server)), view::Tone::Warn}}});
  if (!entry.source.empty()) document.add(source_of(entry));
  const std::string path = finding.path.empty() ? "" : finding.path + ": ";
  document.add(
      view::Paragraph{.spans = {{path, view::Tone::Strong}, {finding.message}}, .indent = 2});
  if (finding.fix.find('\n') != std::string::npos) {
    document.add(yaml_of(finding.fix));
  } else if (!finding.fix.empty()) {
    document.add(
        view::Paragraph{.spans = {{"-> ", view::Tone::Strong}, {finding.fix}}, .indent = 2});
  }
  if (group.size() > 1)
    document.add(view::Paragraph{.spans = {{other_places(group), view::Tone::Dim}}, .indent = 2});
  document.add(view::Blank{});
}

json::Value request_json(const FileRequest& entry) {
  json::Value value = json::Value::object();
  value.set("file", entry.file);
  value.set("object", entry.object);
  value.set("path", entry.match.path);
  value.set("request", entry.match.request);
  value.set("class", entry.match.device_class);
  value.set("devices", entry.match.devices);
  value.set("matched", entry.match.matched);
  value.set("free", json_if_known(entry.match.free));
  value.set("tainted", json_if_known(entry.match.tainted));
  return value;
}

void add_requests(const std::vector<FileRequest>& all, view::Document& document) {
  view::Table table = table_of({"OBJECT", "REQUEST", "CLASS", "MATCH", "FREE", "TAINTED"});
  for (const FileRequest& entry : all) {
    table.rows.push_back({cell(entry.object), cell(entry.match.request),
                          cell(entry.match.device_class), cell(entry.match.matched),
                          cell_if_known(entry.match.free), cell_if_known(entry.match.tainted)});
  }
  document.add(std::move(table));
  document.add(view::Blank{});
}

std::string counted(std::size_t count, std::string_view what) {
  return base::plural(static_cast<std::int64_t>(count), what);
}

std::string summary_of(const Validation& validation) {
  std::vector<std::string> found;
  for (const Severity severity : {Severity::Error, Severity::Warning, Severity::Hint}) {
    const std::size_t count = validation.count(severity);
    if (count > 0) found.push_back(counted(count, name_of(severity)));
  }
  std::string text = base::format(
      "{} in {}: {}", counted(validation.objects, "object"), counted(validation.files, "file"),
      found.empty() ? std::string("nothing found") : base::join(found, ", "));
  if (validation.skipped > 0)
    text += base::format("; {} of other kinds not checked", counted(validation.skipped, "object"));
  return text + ".";
}

std::string summary_of(const DryRun& dry_run) {
  if (dry_run.asked == 0) return "There is no object that the server could be asked about.";
  return base::format(
      "The server, asked about {} (dry run), refuses {}; {}.", counted(dry_run.asked, "object"),
      dry_run.refused == 0 ? std::string("none") : std::to_string(dry_run.refused),
      dry_run.differences == 0
          ? std::string("it says the same")
          : base::format("it differs in {}", counted(dry_run.differences, "finding")));
}

}  // namespace

std::string_view name_of(Phase phase) {
  switch (phase) {
    case Phase::Client:
      return "client";
    case Phase::Decode:
      return "decode";
    case Phase::Strict:
      return "strict";
    case Phase::Validate:
      return "validate";
  }
  return "";
}

json::Value to_json(const Validation& validation) {
  json::Value value = report_object("Validation");
  if (validation.dry_run) {
    json::Value& dry_run = value.set("dryRun", json::Value::object());
    dry_run.set("asked", validation.dry_run->asked);
    dry_run.set("refused", validation.dry_run->refused);
    dry_run.set("differences", validation.dry_run->differences);
  }
  json::Value& findings = value.set("findings", json::Value::array());
  for (const FileFinding& entry : validation.findings)
    findings.push(finding_json(entry));
  value.set("files", validation.files);
  if (!validation.requests.empty()) {
    json::Value& requests = value.set("requests", json::Value::array());
    for (const FileRequest& entry : validation.requests)
      requests.push(request_json(entry));
  }
  value.set("objects", validation.objects);
  value.set("skipped", validation.skipped);
  return value;
}

view::Document to_view(const Validation& validation) {
  view::Document document;
  for (const auto& group : groups_of(validation.findings))
    add_finding(group, document);
  if (!validation.requests.empty()) add_requests(validation.requests, document);
  document.add(view::Paragraph{.spans = {{summary_of(validation)}}});
  if (validation.dry_run)
    document.add(view::Paragraph{.spans = {{summary_of(*validation.dry_run)}}});
  return document;
}

}  // namespace dra::report
