// include/dra/checks/manifest/documents.h
//
// Divides a file into documents, as kubectl does. An unreadable document does not affect the
// others.

#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "dra/checks/fields/manifest_finding.h"
#include "dra/json/value.h"

namespace dra::checks {

// A tree, or the error that makes it unreadable.
using Document = std::variant<json::Value, ManifestFinding>;

std::vector<Document> read_documents(std::string_view text);

// The text with each mistake that makes it unreadable corrected, if what to write is beyond doubt;
// otherwise as it is.
std::string with_yaml_repaired(std::string_view text);

// Moves a finding about a part of an expression to the line and column of the part. Says of an
// expression that is not valid CEL what YAML made of it, if that is why: `!x` is empty, and ` #`
// ends it. The finding is about an object in the text.
void place_in_text(std::string_view text, ManifestFinding& finding);

}  // namespace dra::checks
