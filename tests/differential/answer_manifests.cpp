// tests/differential/answer_manifests.cpp: what the checks say of the fields of manifests, for
// tests/differential/manifests to compare with the API server's decoder.
//
// Each line of input is `json` or `yaml`, a tab and a document. The answer is a line of the errors'
// codes and paths, `CODE PATH`, separated by tabs; "error" for what cannot be parsed.

#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "dra/base/text.h"
#include "dra/checks/fields/manifest_fields.h"
#include "dra/json/parse.h"
#include "dra/json/yaml.h"

namespace {

using namespace dra;

std::string answer_for(const json::Value& document) {
  const json::Value* version = document.find("apiVersion");
  const json::Value* kind = document.find("kind");
  if (version == nullptr || kind == nullptr) return "error";
  const api::SchemaType* type = api::schema_of(version->text(), kind->text());
  if (type == nullptr) return "no such kind";
  std::vector<checks::ManifestFinding> findings;
  checks::check_fields(document, *type, "", findings);
  std::vector<std::string> words;
  for (const checks::ManifestFinding& finding : findings) {
    // A duplicate is a warning, as kubectl sends none; the server's decoder refuses it.
    if (finding.severity == checks::Severity::Error || finding.code == "DuplicateField")
      words.push_back(finding.code + " " + finding.path);
  }
  return base::join(words, "\t");
}

std::string answer(std::string_view line) {
  const std::size_t tab = line.find('\t');
  const std::string_view text = line.substr(tab + 1);
  if (line.substr(0, tab) == "json") {
    const auto document = json::parse_json(text);
    return document.ok() ? answer_for(document.value()) : "error";
  }
  const auto documents = json::parse_yaml(text);
  const bool one = documents.ok() && documents.value().size() == 1;
  return one ? answer_for(documents.value().front()) : "error";
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);)
    std::cout << answer(line) << '\n' << std::flush;
}
