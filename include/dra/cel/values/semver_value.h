// include/dra/cel/values/semver_value.h
//
// The type kubernetes.Semver: a semantic version. The build after `+` does not affect order and
// equality. Upstream: k8s.io/apiserver/pkg/cel/semver.go, github.com/blang/semver/v4.

#pragma once

#include <compare>
#include <cstdint>

#include "dra/cel/values/value.h"

namespace dra::cel {

// Views into the parsed text.
struct Version {
  std::uint64_t major = 0;
  std::uint64_t minor = 0;
  std::uint64_t patch = 0;
  std::string_view prerelease = {};  // "rc.1"
  std::string_view text = {};
};

std::strong_ordering order(const Version& a, const Version& b);

class SemverValue final : public OpaqueValue {
 public:
  static constexpr std::string_view kType = "kubernetes.Semver";

  explicit SemverValue(const Version& version) : version_(version) {}

  const Version& version() const { return version_; }
  std::string_view type_name() const override { return kType; }
  std::string_view go_type() const override { return "cel.Semver"; }
  std::string text() const override { return std::string(version_.text); }
  std::optional<bool> equals(const Value& other) const override;

 private:
  Version version_;
};

}  // namespace dra::cel
