// include/dra/checks/manifest/documents.h
//
// Divides a file into documents, as kubectl does. An unreadable document does not affect the
// others.

#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "dra/checks/fields/manifest_finding.h"
#include "dra/json/value.h"

namespace dra::checks {

// A tree, or the error that makes it unreadable.
using Document = std::variant<json::Value, ManifestFinding>;

std::vector<Document> read_documents(std::string_view text);

}  // namespace dra::checks
