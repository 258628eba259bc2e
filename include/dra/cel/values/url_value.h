// include/dra/cel/values/url_value.h
//
// The type kubernetes.URL. Upstream: k8s.io/apiserver/pkg/cel/url.go.

#pragma once

#include "dra/cel/values/url.h"
#include "dra/cel/values/value.h"

namespace dra::cel {

class UrlValue final : public OpaqueValue {
 public:
  static constexpr std::string_view kType = "kubernetes.URL";

  explicit UrlValue(Url url) : url_(std::move(url)) {}

  const Url& url() const { return url_; }
  std::string_view type_name() const override { return kType; }
  std::string_view go_type() const override { return "cel.URL"; }
  std::string text() const override { return url_.to_string(); }
  std::optional<bool> equals(const Value& other) const override;

 private:
  Url url_;
};

}  // namespace dra::cel
