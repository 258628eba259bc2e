// include/dra/cel/hints/changes.h
//
// What the author of an expression may have meant: small changes of its text for the mistakes that
// people make with devices. None is known to help: whoever offers one has compiled and evaluated
// the changed expression first.

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
  Operator,      // `and`, `or`, `not`, `=`, `&`, `|` as CEL writes them
  Presence,      // has(x["y"]) is "y" in x
  Unit,          // 80Gi and quantity("80g") are quantity("80Gi")
  Variable,      // attributes["domain"] is device.attributes["domain"]
  Field,         // device.attribute is device.attributes
  Constructor,   // "9.0.0" beside a version is semver("9.0.0"); as well "80Gi" and quantity()
  CompareTo,     // versions and quantities have no `<`
  KindOfValue,   // x.string, x.int, ... as in YAML: the value has no such field
  SplitName,     // attributes["domain/id"] is attributes["domain"].id
  AddDomain,     // attributes["id"] is attributes["domain"].id
  OtherDomain,   // the name is known in another domain
  OtherSection,  // it is known as a capacity, not as an attribute, or the reverse
  NearName,      // a name that is written much like it is known
  // What devices have, as those who evaluate for them find it.
  Letters,    // a text in the capital and small letters that were seen
  Threshold,  // a bound that lets through what was seen
  Value,      // another value that was seen
  Member,     // one more value in a list
  Guard,      // asks first whether the name is there
  Drop,       // without the condition
};

// The text of the span becomes another one.
struct Change {
  ChangeKind kind = ChangeKind::Operator;
  Span span = {};
  std::string text = {};

  friend bool operator==(const Change&, const Change&) = default;
};

// Changes must not overlap.
std::string changed(const Source& source, std::vector<Change> changes);

// For an expression that is not even grammar, all at once; empty if there is nothing to do.
std::vector<Change> operator_changes(const Source& source);

// The same for what only looks like CEL beyond operators, each by itself.
std::vector<Change> spelling_changes(const Source& source);

// The quantities that a text may mean that is none: "80GB" is 80G or 80Gi. As texts that can be
// parsed.
std::vector<std::string> near_quantities(std::string_view text);

// A way of three keys from a variable down: {"attributes", "gpu.nvidia.com", "type"}.
using KnownName = std::vector<std::string>;

// Each by itself, for an expression that parses, whether or not it has passed the checks. A trace
// tells the types that the checker does not know; nullptr: there is none. Names are looked at in
// variables with the fields that known names begin with; if none are known, names are not looked
// at.
std::vector<Change> changes_of(const Checked& checked, const Source& source, const Trace* trace,
                               std::span<const KnownName> known);

}  // namespace dra::cel
