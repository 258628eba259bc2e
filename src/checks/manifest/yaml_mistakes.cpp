// src/checks/manifest/yaml_mistakes.cpp: tries the repairs, each by reading the text again.

#include "src/checks/manifest/yaml_mistakes.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "dra/api/schema.h"
#include "dra/base/text.h"
#include "dra/cel/syntax/parser.h"
#include "dra/checks/fields/manifest_fields.h"
#include "dra/checks/manifest/documents.h"
#include "dra/json/yaml_places.h"
#include "src/checks/manifest/yaml_repairs.h"

namespace dra::checks {
namespace {

using json::Value;

// Reading a longer text once for each repair takes too long.
constexpr std::size_t kMostBytes = std::size_t{256} << 10U;

// Lines of the repaired text.
struct Lines {
  std::uint32_t first;
  std::uint32_t last;

  bool has(json::Position at) const { return at.line >= first && at.line <= last; }
};

std::string with_repair(const YamlLines& lines, const YamlRepair& repair) {
  std::vector<std::string> all(lines.begin(), lines.begin() + repair.first - 1);
  const bool carriage_return = lines[repair.first - 1].ends_with('\r');
  for (const std::string& line : repair.lines)
    all.push_back(carriage_return && !line.ends_with('\r') ? line + '\r' : line);
  all.insert(all.end(), lines.begin() + repair.last, lines.end());
  return base::join(all, "\n");
}

// Every selector of a device is a member of this name, and nothing else in these APIs is.
bool expressions_parse(const Value& value, Lines lines) {
  for (const json::Member& member : value.members()) {
    if (member.key == "expression" && lines.has(member.position)) {
      const Value& text = member.value;
      if (!text.is(json::Kind::String) || !cel::parse(cel::Source(text.text())).ok()) return false;
    }
    if (!expressions_parse(member.value, lines)) return false;
  }
  return std::ranges::all_of(value.items(),
                             [lines](const Value& item) { return expressions_parse(item, lines); });
}

bool fields_are_known(const Value& document, Lines lines) {
  const Value* version = document.find("apiVersion");
  const Value* kind = document.find("kind");
  if (version == nullptr || kind == nullptr) return true;
  const api::SchemaType* type = api::schema_of(version->text(), kind->text());
  std::vector<ManifestFinding> findings;
  if (type != nullptr) check_fields(document, *type, {}, findings);
  return std::ranges::none_of(findings, [lines](const ManifestFinding& finding) {
    return lines.has(finding.position) || lines.has({finding.position.line + 1, 1});
  });
}

enum class Outcome { Unreadable, Doubtful, Good };

// What becomes of the text with the repair. Another mistake may follow below it; then the lines up
// to the repair are read alone.
Outcome outcome_of(const std::string& text, const YamlRepair& repair) {
  const auto last = static_cast<std::uint32_t>(repair.first + repair.lines.size() - 1);
  const Lines lines{repair.key_line > 0 ? std::min(repair.key_line, repair.first) : repair.first,
                    last};
  auto read = json::read_yaml(text);
  if (const auto* error = std::get_if<json::YamlError>(&read)) {
    if (error->at.line <= last) return Outcome::Unreadable;
    std::size_t end = 0;
    for (std::uint32_t line = 0; line < last; ++line)
      end = text.find('\n', end) + 1;
    read = json::read_yaml(std::string_view(text).substr(0, end));
  }
  const auto* documents = std::get_if<std::vector<Value>>(&read);
  const bool good =
      documents != nullptr && std::ranges::all_of(*documents, [lines](const Value& document) {
        return expressions_parse(document, lines) && fields_are_known(document, lines);
      });
  return good ? Outcome::Good : Outcome::Doubtful;
}

std::string path_on(std::uint32_t line, const json::YamlError& error) {
  std::string path;
  for (const json::YamlKey& key : error.keys) {
    if (key.at.line == line) path = key.path;
  }
  return path;
}

// The lines without the spaces that all of them have in front.
std::string without_common_indent(const std::vector<std::string>& lines) {
  std::size_t common = std::string::npos;
  for (const std::string& line : lines) {
    if (!line.empty()) common = std::min(common, line.find_first_not_of(' '));
  }
  std::vector<std::string> shifted;
  shifted.reserve(lines.size());
  for (const std::string& line : lines)
    shifted.push_back(line.substr(std::min(common, line.size())));
  return base::join(shifted, "\n");
}

// What to write. New indentation is shown below the line that it is measured against.
std::string fix_of(const YamlLines& lines, const YamlRepair& repair) {
  const bool same = base::trim(lines[repair.first - 1]) == base::trim(repair.lines.front());
  const std::size_t column = repair.lines.front().find_first_not_of(' ');
  std::uint32_t above = repair.first - 1;
  while (same && above > 0 && lines[above - 1].find_first_not_of(" \r") > column)
    --above;
  std::vector<std::string> shown;
  if (same && above > 0) shown.emplace_back(lines[above - 1]);
  shown.insert(shown.end(), repair.lines.begin(), repair.lines.end());
  return without_common_indent(shown);
}

bool looks_like_template(std::string_view line) {
  return line.find("{{") != std::string_view::npos && line.find("}}") != std::string_view::npos;
}

// What YAML made of the expression, if that is why it is not valid CEL. What surrounds the
// expression was read as it was meant: it led here.
bool explain_by_text(std::string_view text, ManifestFinding& finding) {
  constexpr std::string_view key = "expression";
  const bool syntax = finding.path.ends_with(base::format(".{}", key)) &&
                      finding.message.find("Syntax error") != std::string::npos;
  if (!syntax || text.size() > kMostBytes) return false;
  const YamlLines lines = base::split(text, '\n');
  if (finding.position.line == 0 || finding.position.line > lines.size()) return false;
  std::vector<YamlRepair> repairs;
  repair_value(lines, finding.position.line, repairs);
  for (const YamlRepair& repair : repairs) {
    if (repair.key != key || outcome_of(with_repair(lines, repair), repair) != Outcome::Good)
      continue;
    finding.position = repair.at;
    finding.message = repair.message;
    finding.fix = fix_of(lines, repair);
    return true;
  }
  return false;
}

}  // namespace

YamlMistake yaml_mistake(std::string_view text, const json::YamlError& error, std::size_t above) {
  const auto skipped = static_cast<std::uint32_t>(above);
  YamlMistake mistake{.finding = {.code = "Decode",
                                  .phase = Phase::Decode,
                                  .path = path_on(error.at.line, error),
                                  .position = error.at,
                                  .message = error.message}};
  const YamlLines lines = base::split(text, '\n');
  const std::uint32_t number = error.at.line - std::min(skipped, error.at.line);
  if (number > 0 && number <= lines.size() && looks_like_template(lines[number - 1])) {
    mistake.finding.message = "this is a line of a template, and not YAML";
    mistake.finding.fix = "render it first, as `helm template` does, and validate the result";
    return mistake;
  }
  if (text.size() > kMostBytes) return mistake;
  const auto tell = [&](const YamlRepair& repair) {
    mistake.finding.position = {repair.at.line + skipped, repair.at.column};
    mistake.finding.message = repair.message;
    const std::uint32_t key = repair.key_line > 0 ? repair.key_line : repair.at.line;
    mistake.finding.path = path_on(key + skipped, error);
  };
  bool told = false;
  for (const YamlRepair& repair : yaml_repairs(lines, number)) {
    std::string repaired = with_repair(lines, repair);
    const Outcome outcome = outcome_of(repaired, repair);
    if (outcome == Outcome::Unreadable) continue;
    if (outcome == Outcome::Good || !std::exchange(told, true)) tell(repair);
    if (outcome != Outcome::Good) continue;
    mistake.finding.fix = fix_of(lines, repair);
    if (repair.certain) mistake.text = std::move(repaired);
    return mistake;
  }
  return mistake;
}

std::string with_yaml_repaired(std::string_view text) {
  constexpr int most_mistakes = 20;
  std::string repaired(text);
  for (int i = 0; i < most_mistakes; ++i) {
    const auto read = json::read_yaml(repaired);
    const auto* error = std::get_if<json::YamlError>(&read);
    if (error == nullptr) return repaired;
    YamlMistake mistake = yaml_mistake(repaired, *error, 0);
    if (mistake.text.empty()) break;
    repaired = std::move(mistake.text);
  }
  return std::string(text);
}

void place_in_text(std::string_view text, ManifestFinding& finding) {
  if (explain_by_text(text, finding) || finding.text.empty()) return;
  const auto place = json::position_within(text, finding.position, finding.text, finding.offset);
  if (place) finding.position = *place;
}

}  // namespace dra::checks
