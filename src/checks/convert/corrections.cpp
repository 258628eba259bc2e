// src/checks/convert/corrections.cpp: converts older versions, then checks the text and applies the
// replacements that findings carry, by position.

#include "dra/checks/convert/corrections.h"

#include <map>

#include "dra/checks/convert/conversion.h"
#include "dra/checks/manifest/documents.h"
#include "dra/json/yaml_edit.h"
#include "src/checks/convert/yaml_output.h"

namespace dra::checks {
namespace {

using json::TextEdit;
using json::Value;

// Values by position.
using Places = std::map<std::pair<std::uint32_t, std::uint32_t>, const Value*>;

void add_places(const Value& value, Places& places) {
  for (const json::Member& member : value.members())
    add_places(member.value, places);
  for (const Value& item : value.items())
    add_places(item, places);
  if (value.is(json::Kind::String))
    places.emplace(std::pair(value.position().line, value.position().column), &value);
}

Result<std::string> with_right_names(const std::string& text, const ManifestChecker& checker) {
  const std::vector<Value> documents = DRA_TRY(read_objects(text));
  const json::YamlText source(text);
  std::map<std::size_t, TextEdit> edits;  // by offset, as several rules may find the same mistake
  for (const Value& document : documents) {
    Places places;
    add_places(document, places);
    for (const CheckedObject& object : checker.check(document)) {
      for (const ManifestFinding& finding : object.findings) {
        const auto [line, column] = finding.position;
        const auto place = places.find({line, column});
        if (finding.replacement.empty() || place == places.end()) continue;
        auto edit = source.replace(*place->second, finding.replacement);
        if (!edit) continue;
        const std::size_t begin = edit->begin;
        edits.emplace(begin, *std::move(edit));
      }
    }
  }
  std::vector<TextEdit> all;
  all.reserve(edits.size());
  for (auto& [begin, edit] : edits)
    all.push_back(std::move(edit));
  return json::with_edits(text, std::move(all));
}

}  // namespace

Result<Corrected> correct(std::string_view text, const ManifestChecker& checker) {
  const int release = engine::minor_release(checker.server());
  Converted newest = DRA_TRY(to_newest(with_yaml_repaired(text), Shape::AlsoOfNewest, release));
  Corrected corrected{.text = {}, .comments_lost = newest.comments_lost};
  corrected.text = DRA_TRY(with_right_names(newest.text, checker));
  return corrected;
}

}  // namespace dra::checks
