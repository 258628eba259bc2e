// include/dra/checks/fields/manifest_place.h
//
// A value in a manifest together with its path: how checks against a cluster or a server address
// what they report on.

#pragma once

#include <string>
#include <string_view>

#include "dra/checks/fields/manifest_finding.h"
#include "dra/diag/codes.h"
#include "dra/json/value.h"

namespace dra::checks {

struct ManifestPlace {
  const json::Value* value;  // nullptr: the manifest has none
  std::string path;

  ManifestPlace child(std::string_view name) const;
  ManifestPlace item(std::size_t number) const;
  ManifestPlace or_parent(const ManifestPlace& parent) const {
    return value != nullptr ? *this : parent;
  }
};

// The value at a path such as "spec.devices.requests[0].exactly", or its nearest parent that
// exists, with the path as it was given.
ManifestPlace place_at(const json::Value& root, std::string_view path);

// The code of an error is the server's type of it.
ManifestFinding finding_at(const ManifestPlace& place, Severity severity, std::string_view code,
                           std::string message, std::string fix);
ManifestFinding warning_at(const ManifestPlace& place, diag::Code code, std::string message,
                           std::string fix);

}  // namespace dra::checks
