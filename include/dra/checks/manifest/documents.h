// include/dra/checks/manifest/documents.h
//
// The documents of a file, as kubectl divides it. What cannot be read spoils its own document, not
// the others.

#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "dra/checks/fields/manifest_finding.h"
#include "dra/json/value.h"

namespace dra::checks {

// A tree, or why there is none.
using Document = std::variant<json::Value, ManifestFinding>;

std::vector<Document> read_documents(std::string_view text);

}  // namespace dra::checks
