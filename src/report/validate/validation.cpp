// src/report/validate/validation.cpp: see validation.h.

#include "dra/report/validate/validation.h"

#include <algorithm>
#include <optional>
#include <set>

#include "dra/base/text.h"
#include "dra/checks/manifest/documents.h"
#include "dra/report/phrases/envelope.h"
#include "dra/report/phrases/words.h"
#include "src/report/validate/validation_findings.h"

namespace dra::report {
namespace {

using checks::ManifestFinding;
using checks::Phase;
using checks::Severity;

std::string line_of(const std::vector<std::string_view>& lines, std::uint32_t number) {
  if (number == 0 || number > lines.size()) return {};
  std::string_view line = lines[number - 1];
  if (line.ends_with('\r')) line.remove_suffix(1);
  return std::string(line);
}

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

// Behind the name of the object.
std::string_view words_of(std::optional<ServerSays> server) {
  if (server == ServerSays::Only) return "  only the server says so";
  return server == ServerSays::Nothing ? "  the server does not say so" : "";
}

// The line, and a caret under the value.
view::Verbatim source_of(const FileFinding& entry) {
  const std::string number = std::to_string(entry.finding.position.line);
  const std::size_t column = std::max<std::size_t>(entry.finding.position.column, 1) - 1;
  std::string line = entry.source;
  std::ranges::replace(line, '\t', ' ');
  view::Verbatim block{.lines = {}, .indent = 2};
  block.lines.push_back({{number + " | ", view::Tone::Dim}, {line}});
  block.lines.push_back({{std::string(number.size(), ' ') + " | ", view::Tone::Dim},
                         {std::string(column, ' ') + "^", tone_of(entry.finding.severity)}});
  return block;
}

std::string file_place(const FileFinding& entry) {
  const json::Position position = entry.finding.position;
  if (position.line == 0) return entry.file;
  return base::format("{}:{}:{}", entry.file, position.line, position.column);
}

// What to write, as it would stand in the file.
view::Verbatim yaml_of(const std::string& fix) {
  view::Verbatim block{.lines = {}, .indent = 2};
  for (const std::string_view line : base::split(fix, '\n'))
    block.lines.push_back(
        {{block.lines.empty() ? "-> " : "   ", view::Tone::Strong}, {std::string(line)}});
  return block;
}

void add_finding(const FileFinding& entry, view::Document& document) {
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
  document.add(view::Blank{});
}

json::Value met_json(const ObjectMet& entry) {
  json::Value value = json::Value::object();
  value.set("file", entry.file);
  value.set("object", entry.object);
  value.set("path", entry.met.path);
  value.set("request", entry.met.request);
  value.set("class", entry.met.device_class);
  value.set("devices", entry.met.devices);
  value.set("matched", entry.met.matched);
  value.set("free", json_if_known(entry.met.free));
  value.set("tainted", json_if_known(entry.met.tainted));
  return value;
}

void add_met(const std::vector<ObjectMet>& met, view::Document& document) {
  view::Table table = table_of({"OBJECT", "REQUEST", "CLASS", "MATCH", "FREE", "TAINTED"});
  for (const ObjectMet& entry : met) {
    table.rows.push_back({cell(entry.object), cell(entry.met.request), cell(entry.met.device_class),
                          cell(entry.met.matched), cell_if_known(entry.met.free),
                          cell_if_known(entry.met.tainted)});
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

std::vector<checks::ObjectName> defined_in(const Validation& validation) {
  std::vector<checks::ObjectName> defined;
  for (const FileObject& seen : validation.seen) {
    if (seen.object.defines) defined.push_back(*seen.object.defines);
  }
  return defined;
}

}  // namespace

void add_finding(const FileObject& seen, ManifestFinding finding, Validation& validation) {
  const auto place = static_cast<std::size_t>(&seen - validation.seen.data());
  validation.findings.push_back(
      {seen.number, seen.file, seen.object.name, std::move(finding), {}, place});
}

void arrange(Validation& validation) {
  std::map<std::string_view, std::vector<std::string_view>> lines;
  for (FileFinding& entry : validation.findings) {
    if (!entry.source.empty()) continue;
    auto [of, is_new] = lines.try_emplace(entry.file);
    if (is_new) of->second = base::split(validation.texts.find(entry.file)->second, '\n');
    entry.source = line_of(of->second, entry.finding.position.line);
  }
  std::ranges::stable_sort(validation.findings, {}, [](const FileFinding& entry) {
    return std::pair(entry.number, entry.finding.position.line);
  });
}

std::size_t Validation::count(Severity severity) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      findings,
      [severity](const FileFinding& entry) { return entry.finding.severity == severity; }));
}

std::string_view name_of(Phase phase) {
  switch (phase) {
    case Phase::Decode:
      return "decode";
    case Phase::Strict:
      return "strict";
    case Phase::Validate:
      return "validate";
  }
  return "";
}

Manifest read_manifest(std::string file, std::string text) {
  auto documents = checks::read_documents(text);
  return {std::move(file), std::move(text), std::move(documents)};
}

void validate(Manifest manifest, const checks::ManifestChecker& checker, Validation& validation) {
  ++validation.files;
  validation.texts.insert_or_assign(manifest.file, std::move(manifest.text));
  const auto add = [&](const std::string& object, ManifestFinding finding) {
    validation.findings.push_back(
        {validation.files, manifest.file, object, std::move(finding), {}, validation.seen.size()});
  };
  for (checks::Document& document : manifest.documents) {
    if (auto* failure = std::get_if<ManifestFinding>(&document)) {
      add({}, std::move(*failure));
      continue;
    }
    for (checks::CheckedObject& object : checker.check(std::get<json::Value>(document))) {
      ++(object.skipped ? validation.skipped : validation.objects);
      for (ManifestFinding& finding : object.findings)
        add(object.name, std::move(finding));
      object.findings.clear();
      validation.seen.push_back({validation.files, manifest.file, std::move(object)});
    }
  }
}

void check_references(Validation& validation) {
  checks::DefinedNames names(defined_in(validation));
  std::set<std::string_view> closed;
  for (const FileObject& seen : validation.seen) {
    if (seen.object.closed_namespace) closed.insert(*seen.object.closed_namespace);
  }
  for (const FileObject& seen : validation.seen) {
    for (const checks::Reference& reference : seen.object.references) {
      if (auto finding = names.check(reference)) add_finding(seen, *std::move(finding), validation);
    }
    for (const checks::Reference& reference : seen.object.admin_access) {
      if (closed.contains(reference.to.name))
        add_finding(seen, checks::no_admin_access(reference), validation);
    }
  }
  arrange(validation);
}

void check_against(const snapshot::Snapshot& snapshot, const std::string& ns,
                   Validation& validation) {
  ValidationAgainst against(snapshot);
  const checks::DefinedNames names(defined_in(validation));
  for (FileObject& seen : validation.seen) {
    if (seen.object.defines && seen.object.defines->namespace_.empty())
      seen.object.defines->namespace_ = ns;
    MetThere met = against.check(seen.object, names);
    for (ManifestFinding& finding : met.findings) {
      // Whether a namespace lets it be created is not asked of what exists.
      const bool of_creation = seen.object.exists && finding.code == "Forbidden";
      if (!of_creation) add_finding(seen, std::move(finding), validation);
    }
    for (RequestMet& request : met.requests)
      validation.met.push_back({seen.file, seen.object.name, std::move(request)});
  }
  arrange(validation);
}

void keep_from(Severity least, Validation& validation) {
  std::erase_if(validation.findings,
                [least](const FileFinding& entry) { return entry.finding.severity > least; });
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
  if (!validation.met.empty()) {
    json::Value& requests = value.set("requests", json::Value::array());
    for (const ObjectMet& entry : validation.met)
      requests.push(met_json(entry));
  }
  value.set("objects", validation.objects);
  value.set("skipped", validation.skipped);
  return value;
}

view::Document to_view(const Validation& validation) {
  view::Document document;
  for (const FileFinding& entry : validation.findings)
    add_finding(entry, document);
  if (!validation.met.empty()) add_met(validation.met, document);
  document.add(view::Paragraph{.spans = {{summary_of(validation)}}});
  if (validation.dry_run)
    document.add(view::Paragraph{.spans = {{summary_of(*validation.dry_run)}}});
  return document;
}

}  // namespace dra::report
