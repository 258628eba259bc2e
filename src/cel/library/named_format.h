// src/cel/library/named_format.h
//
// The type kubernetes.NamedFormat: a rule for texts, such as that for a DNS label. Upstream:
// k8s.io/apiserver/pkg/cel/format.go and library/format.go.

#pragma once

#include <span>
#include <vector>

#include "dra/cel/values/value.h"

namespace dra::cel {

class NamedFormat final : public OpaqueValue {
 public:
  static constexpr std::string_view kType = "kubernetes.NamedFormat";

  // The violations of a text; empty if it is valid.
  using Problems = std::vector<std::string>;
  using Validate = Problems (*)(std::string_view text);

  constexpr NamedFormat(std::string_view name, std::size_t pattern_size, Validate rule)
      : name_(name), pattern_size_(pattern_size), validate_(rule) {}

  std::string_view name() const { return name_; }  // as in format.NAME()
  Problems validate(std::string_view text) const { return validate_(text); }
  std::string_view type_name() const override { return kType; }
  std::string_view go_type() const override { return "cel.Format"; }
  std::string text() const override { return std::string(name_); }
  std::size_t pattern_size() const override { return pattern_size_; }
  std::optional<bool> equals(const Value& other) const override;

 private:
  std::string_view name_;
  std::size_t pattern_size_;
  Validate validate_;
};

// Sorted by name.
std::span<const NamedFormat> named_formats();

}  // namespace dra::cel
