// include/dra/base/selector.h
//
// Conditions on labels. Two notations mean the same thing and share one type, Requirement:
//
//   as text        -l 'zone in (a,b),gpu!=none,!cordoned'       parse_selector
//   structured     {key: zone, operator: In, values: [a, b]}    Requirement::make
//
// Behaves as k8s.io/apimachinery/pkg/labels (Parse, NewRequirement, Requirement.Matches):
//  * All requirements must hold; a selector without any matches everything.
//  * `=`, `==` and `in` need the label. `!=` and `notin` also hold where it is absent.
//  * `>` and `<` compare integers of 64 bits; a label that is absent or no integer does not match.
//  * `a=` and `a in ()` mean the empty value. Labels and values may be called `in` and `notin`.
//  * Keys and values must be valid as labels, or the selector is an error: it could never match.
//
// Callers decide what an empty list means: an empty node selector term matches no node
// (nodeaffinity), while an empty label selector matches every object.

#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/base/result.h"

namespace dra::base {

using Label = std::pair<std::string_view, std::string_view>;  // key, value
using Labels = std::vector<Label>;

enum class LabelOperator { In, NotIn, Exists, DoesNotExist, Gt, Lt };

// Takes "In", "NotIn" and so on, as v1.NodeSelectorOperator and metav1.LabelSelectorOperator.
Result<LabelOperator> parse_label_operator(std::string_view name);

class Requirement {
 public:
  // In and NotIn take at least one value, Gt and Lt one integer, Exists and DoesNotExist none.
  static Result<Requirement> make(std::string key, LabelOperator op,
                                  std::vector<std::string> values);

  const std::string& key() const { return key_; }
  LabelOperator op() const { return op_; }
  const std::vector<std::string>& values() const { return values_; }

  bool matches(const Labels& labels) const;
  std::string to_string() const;  // as text, e.g. `zone in (a,b)`

 private:
  Requirement(std::string key, LabelOperator op, std::vector<std::string> values)
      : key_(std::move(key)), op_(op), values_(std::move(values)) {}

  std::string key_;
  LabelOperator op_;
  std::vector<std::string> values_;
};

struct Selector {
  std::vector<Requirement> requirements;

  bool matches(const Labels& labels) const;
  std::string to_string() const;  // parses to the same selector
};

// Errors name the position in the text, counted in bytes from 1, and what was expected there.
Result<Selector> parse_selector(std::string_view text);

}  // namespace dra::base
