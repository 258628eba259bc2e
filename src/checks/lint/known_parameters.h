// src/checks/lint/known_parameters.h
//
// The configuration types of known drivers, and the check of parameters against them. The API
// server accepts any object as parameters. A driver that does not know a field refuses to prepare
// the claim, long after the pod got its node, or ignores the field.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "dra/checks/fields/field.h"

namespace dra::checks {

enum class Holds : std::uint8_t {
  Anything,
  Bool,
  Map,     // from names of the user's choice to values of any type
  Number,  // whole, from `least` to `most`
  Object,  // with fields that are further rows
  Objects,
  Quantity,
  Text,  // one of `words`, if there are any; at most `most` bytes, if that is not 0
  Texts,
};

struct KnownField {
  std::string_view path;  // "interface.addresses"; of objects in a list "routes.table"
  Holds holds = Holds::Anything;
  std::string_view words = {};  // separated by blanks
  std::int64_t least = 0;
  std::int64_t most = 0;
  bool required = false;
};

// The driver refuses the first if the second is set: "path", or "path: value".
struct Exclusive {
  std::string_view refused;
  std::string_view beside;
};

// What the driver accepts only with a gate that is off by default: "path", or "path: value".
struct Gated {
  std::string_view what;  // empty: the kind as a whole
  std::string_view gate;
};

struct KnownParameters {
  std::string_view driver;
  std::string_view api_version;  // empty: the driver wants neither apiVersion nor kind
  std::string_view kind;         // empty: the driver wants no kind
  std::span<const KnownField> fields;
  std::span<const Exclusive> exclusive = {};
  std::span<const Gated> gated = {};
};

// All known kinds of parameters, sorted by driver.
std::span<const KnownParameters> known_parameters();

// True if the driver never reads the parameters of a configuration.
bool ignores_parameters(std::string_view driver);

// Warns about parameters that a known driver does not take.
void check_driver_parameters(const Field& opaque);

}  // namespace dra::checks
