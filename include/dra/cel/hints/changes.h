// include/dra/cel/hints/changes.h
//
// What the author of an expression may have meant: small changes of its text for common mistakes
// with devices. A change is a guess: callers compile and evaluate the changed expression before
// they suggest it.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/cel/check/checker.h"
#include "dra/cel/run/trace.h"
#include "dra/cel/syntax/source.h"

namespace dra::cel {

enum class ChangeKind {
  Operator,      // `and`, `or`, `not`, `=`, `&`, `|` in CEL's syntax
  Presence,      // has(x["y"]) is "y" in x
  Unit,          // 80Gi and quantity("80g") are quantity("80Gi")
  Variable,      // attributes["domain"] is device.attributes["domain"]
  Field,         // device.attribute is device.attributes
  Constructor,   // "9.0.0" compared with a version is semver("9.0.0"); likewise quantity("80Gi")
  CompareTo,     // versions and quantities have no `<`
  KindOfValue,   // x.string, x.int, ... as in YAML: the value has no such field
  SplitName,     // attributes["domain/id"] is attributes["domain"].id
  AddDomain,     // attributes["id"] is attributes["domain"].id
  OtherDomain,   // the name exists in another domain
  OtherSection,  // it exists as a capacity, not as an attribute, or vice versa
  NearName,      // a similar name exists
  OtherName,     // no name is like it; another one of the domain may have the value
  // Values of devices, found by callers that evaluate the expression.
  Letters,    // a text in the case that devices have
  Threshold,  // a bound that lets values of devices pass
  Value,      // another value of devices
  Member,     // one more value in a list
  Guard,      // checks first that the name exists
  Drop,       // removes the condition
};

// Replaces the text of the span.
struct Change {
  ChangeKind kind = ChangeKind::Operator;
  Span span = {};
  std::string text = {};

  friend bool operator==(const Change&, const Change&) = default;
};

// Applies changes, which must not overlap.
std::string changed(const Source& source, std::vector<Change> changes);

// Fixes the operators of an expression that does not parse, all at once; empty if there are none to
// fix.
std::vector<Change> operator_changes(const Source& source);

// Fixes other syntax that only looks like CEL, each change by itself.
std::vector<Change> spelling_changes(const Source& source);

// The quantities that a text which is none may mean: "80GB" is 80G or 80Gi. All of them parse.
std::vector<std::string> near_quantities(std::string_view text);

// A path of three keys from a variable down: {"attributes", "gpu.nvidia.com", "type"}.
using KnownName = std::vector<std::string>;

// Possible changes, each by itself, for an expression that parses, whether or not it passes the
// checks. A trace provides types that the checker does not know; nullptr: there is none. Names are
// compared in variables with the fields that known names begin with; without known names, no names
// are compared.
std::vector<Change> changes_of(const Checked& checked, const Source& source, const Trace* trace,
                               std::span<const KnownName> known);

}  // namespace dra::cel
