// include/dra/cel/values/quantity_value.h
//
// The type kubernetes.Quantity. Upstream: k8s.io/apiserver/pkg/cel/quantity.go.

#pragma once

#include "dra/base/quantity.h"
#include "dra/cel/values/value.h"

namespace dra::cel {

class QuantityValue final : public OpaqueValue {
 public:
  static constexpr std::string_view kType = "kubernetes.Quantity";

  // Upstream computes a pointer in add() and sub(), which is visible: on the right of `==` it is no
  // Quantity.
  enum class Origin { Given, Computed };

  explicit QuantityValue(base::Quantity quantity, Origin origin = Origin::Given)
      : quantity_(std::move(quantity)), origin_(origin) {}

  const base::Quantity& quantity() const { return quantity_; }
  std::string_view type_name() const override { return kType; }
  std::string_view go_type() const override;
  std::string text() const override { return quantity_.to_string(); }
  std::optional<bool> equals(const Value& other) const override;

 private:
  base::Quantity quantity_;
  Origin origin_;
};

}  // namespace dra::cel
