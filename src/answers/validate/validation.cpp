// src/answers/validate/validation.cpp: collects the findings of all files, and sorts them by file
// and position.

#include "dra/answers/validate/validation.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <variant>

#include "dra/base/text.h"
#include "src/answers/validate/validation_findings.h"

namespace dra::answers {
namespace {

using checks::ManifestFinding;
using checks::Severity;

std::string_view line_of(const std::vector<std::string_view>& lines, std::uint32_t number) {
  if (number == 0 || number > lines.size()) return {};
  std::string_view line = lines[number - 1];
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// The names of the requests of a claim or a template.
std::vector<std::string> requests_of(const FileObject& claim) {
  checks::ManifestPlace spec = checks::ManifestPlace{&*claim.object.whole, {}}.child("spec");
  if (claim.object.defines->kind == api::Kind::Template) spec = spec.child("spec");
  const json::Value* requests = spec.child("devices").child("requests").value;
  std::vector<std::string> names;
  if (requests == nullptr || !requests->is(json::Kind::Array)) return names;
  for (const json::Value& request : requests->items()) {
    const json::Value* name = request.find("name");
    if (name != nullptr) names.emplace_back(name->text());
  }
  return names;
}

// Checks what containers say about requests of a claim that is in the files, maybe several times.
void check_requests(const FileObject& seen, const checks::Reference& reference,
                    Validation& validation) {
  if (reference.requests.empty()) return;
  std::vector<std::string> names;
  for (const FileObject& one : validation.seen) {
    if (one.object.whole && one.object.defines == reference.to)
      std::ranges::move(requests_of(one), std::back_inserter(names));
  }
  for (const checks::RequestReference& used : reference.requests) {
    const std::string_view name = std::string_view(used.name).substr(0, used.name.find('/'));
    if (!names.empty() && std::ranges::find(names, name) == names.end())
      add_finding(seen, checks::no_such_request(reference.to, names, used), validation);
  }
}

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80; }

// Of a long line, which a file of one line has for all of its findings, only what is around the
// value.
void take_source(std::string_view line, FileFinding& entry) {
  constexpr std::size_t before = 400;
  constexpr std::size_t most = 1000;
  const std::size_t column = std::max<std::size_t>(entry.finding.position.column, 1) - 1;
  if (line.size() > most && column > before) entry.cut = std::min(column - before, line.size());
  while (entry.cut > 0 && entry.cut < line.size() && continues_character(line[entry.cut]))
    --entry.cut;
  line.remove_prefix(entry.cut);
  std::size_t size = std::min(line.size(), most);
  while (size > 0 && size < line.size() && continues_character(line[size]))
    --size;
  entry.source = line.substr(0, size);
}

}  // namespace

void add_finding(const FileObject& seen, ManifestFinding finding, Validation& validation) {
  const auto place = static_cast<std::size_t>(&seen - validation.seen.data());
  validation.findings.push_back(
      {seen.number, seen.file, seen.object.name, std::move(finding), {}, place});
}

void sort_findings(Validation& validation) {
  std::map<std::string_view, std::vector<std::string_view>> lines;
  for (FileFinding& entry : validation.findings) {
    if (!entry.source.empty()) continue;
    auto [of, is_new] = lines.try_emplace(entry.file);
    if (is_new) of->second = base::split(validation.texts.find(entry.file)->second, '\n');
    take_source(line_of(of->second, entry.finding.position.line), entry);
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

std::vector<checks::ObjectName> Validation::defined() const {
  std::vector<checks::ObjectName> defined;
  for (const FileObject& one : seen) {
    if (one.object.defines) defined.push_back(*one.object.defines);
  }
  return defined;
}

Manifest read_manifest(std::string file, std::string text) {
  auto documents = checks::read_documents(text);
  return {std::move(file), std::move(text), std::move(documents)};
}

void validate(Manifest manifest, const checks::ManifestChecker& checker, Validation& validation) {
  ++validation.files;
  const std::string& text =
      validation.texts.insert_or_assign(manifest.file, std::move(manifest.text)).first->second;
  const auto add = [&](const std::string& object, ManifestFinding finding) -> FileFinding& {
    return validation.findings.emplace_back(
        FileFinding{validation.files, manifest.file, object, std::move(finding), {}});
  };
  for (checks::Document& document : manifest.documents) {
    if (auto* failure = std::get_if<ManifestFinding>(&document)) {
      add({}, std::move(*failure));
      continue;
    }
    // Gone before the next one is checked: a file may have very many.
    const json::Value written = std::move(std::get<json::Value>(document));
    for (checks::CheckedObject& object : checker.check(written)) {
      ++(object.skipped ? validation.skipped : validation.objects);
      for (ManifestFinding& finding : object.findings) {
        checks::place_in_text(text, finding);
        add(object.name, std::move(finding)).seen = validation.seen.size();
      }
      object.findings.clear();
      validation.seen.push_back({validation.files, manifest.file, std::move(object)});
    }
  }
}

void check_references(Validation& validation, bool knows_namespaces) {
  checks::DefinedNames names(validation.defined());
  std::map<std::string_view, bool> admits;  // by the names of namespaces among the files
  for (const FileObject& seen : validation.seen) {
    if (const auto& ns = seen.object.own_namespace) admits[ns->name] = ns->admits_admin_access;
  }
  for (const FileObject& seen : validation.seen) {
    for (const checks::Reference& reference : seen.object.references) {
      if (auto finding = names.check(reference)) add_finding(seen, *std::move(finding), validation);
      check_requests(seen, reference, validation);
    }
    for (const checks::Reference& reference : seen.object.admin_access) {
      const auto ns = admits.find(reference.to.name);
      const bool among_files = ns != admits.end();
      if (among_files ? !ns->second : !knows_namespaces)
        add_finding(seen, checks::no_admin_access(reference, among_files), validation);
    }
  }
  sort_findings(validation);
}

void drop_below(Severity least, Validation& validation) {
  std::erase_if(validation.findings,
                [least](const FileFinding& entry) { return entry.finding.severity > least; });
}

}  // namespace dra::answers
