// src/report/validate/manifest_place.h
//
// A value of a manifest's tree with its path, for what is found there by comparing the object with
// a cluster.

#pragma once

#include <string>
#include <string_view>

#include "dra/checks/fields/manifest_finding.h"
#include "dra/diag/codes.h"
#include "dra/json/value.h"

namespace dra::report {

struct Place {
  const json::Value* value;  // nullptr: not there
  std::string path;

  Place child(std::string_view name) const;
  Place item(std::size_t number) const;
  Place or_parent(const Place& parent) const { return value != nullptr ? *this : parent; }
};

// "spec.devices.requests[0].exactly": the value at a path, or the nearest to it that is there, with
// the path as it was given.
Place place_at(const json::Value& root, std::string_view path);

// `code` of an error is the server's type.
checks::ManifestFinding found(const Place& place, checks::Severity severity, std::string_view code,
                              std::string message, std::string fix);
checks::ManifestFinding warning(const Place& place, diag::Code code, std::string message,
                                std::string fix);

}  // namespace dra::report
